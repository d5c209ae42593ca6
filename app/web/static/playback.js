// Plays a recorded game back. All that is shown stands in the file itself, as JSON: see app/web/export.py.
"use strict";

(() => {
  const game = JSON.parse(document.getElementById("data").textContent);
  const last = game.told.en[0].length - 1;
  let lang = game.lang, eye = 0, at = 0, clock = null;

  const word = (key) => game.words[lang][key];
  const called = (name) => game.called[lang][game.seats.indexOf(name)];
  const make = (name, fields = {}, ...children) => {
    const found = Object.assign(document.createElement(name), fields);
    found.append(...children);
    return found;
  };
  const item = (line) => {  // one that begins with dashes or equals signs, as at the terminal, begins a part
    const part = line.match(/^[-=]+ (.*)$/);
    return part ? make("li", { className: "part", textContent: part[1].trim() }) : make("li", { textContent: line });
  };
  const list = (tag, lines, id) => make(tag, { id }, ...lines.map(item));
  const table = (one) => make("table", {},
    make("thead", {}, make("tr", {}, ...one.heads.map((text) => make("th", { scope: "col", textContent: text })))),
    make("tbody", {}, ...one.rows.map((row) => make("tr", {}, ...row.map((text, n) =>
      make(n ? "td" : "th", n ? { textContent: text } : { scope: "row", textContent: text }))))));
  const insight = (one) => {
    const found = make("section", { className: "insight" },
      make("h2", { textContent: one.title }), ...(one.about ? [make("p", { className: "muted", textContent: one.about })] : []));
    if (one.heads.length) {
      const scroll = make("div", { className: "scroll", tabIndex: 0 }, table(one));
      scroll.setAttribute("role", "region");
      scroll.setAttribute("aria-label", one.title);
      found.append(scroll);
    }
    if (one.foot) found.append(make("p", { textContent: one.foot }));
    return found;
  };
  const option = (value, text, chosen) => make("option", { value, textContent: text, selected: chosen });

  const go = (number) => {
    at = Math.min(Math.max(number, 0), last);
    if (at === last) stop();
    show();
  };
  const stop = () => { clearInterval(clock); clock = null; };
  const run = () => {
    if (clock) stop();
    else {
      if (at === last) at = 0;
      clock = setInterval(() => go(at + 1), 1200);
    }
    show();
  };

  const parts = {};
  const button = (key, act) => (parts[key] = make("button", { type: "button", onclick: act }));

  const build = () => {
    parts.eye = make("select", { onchange: () => { eye = Number(parts.eye.value); show(true); } });
    parts.lang = make("select", { onchange: () => { lang = parts.lang.value; show(true); } });
    parts.slider = make("input", { type: "range", min: 0, max: last, oninput: () => go(Number(parts.slider.value)) });
    parts.title = make("h1");
    parts.eyeLabel = make("label", {}, make("span"), parts.eye);
    parts.langLabel = make("label", {}, make("span"), parts.lang);
    parts.sliderLabel = make("label", { className: "wide" }, make("span"), parts.slider);
    parts.now = make("div");
    parts.now.setAttribute("aria-live", "polite");
    parts.told = make("pre", { tabIndex: 0 });
    parts.told.setAttribute("role", "region");
    parts.toldTitle = make("h2");
    parts.stepsTitle = make("h2");
    parts.steps = make("ol", { tabIndex: 0 });
    parts.after = make("div", { className: "after" });
    parts.seats = make("p", { className: "muted" });
    parts.keys = make("p", { className: "muted" });
    document.getElementById("all").append(
      parts.title, parts.seats,
      make("div", { className: "bar" },
        button("view_first", () => go(0)), button("view_back", () => go(at - 1)),
        button("view_next", () => go(at + 1)), button("view_last", () => go(last)), button("view_run", run),
        parts.eyeLabel, parts.langLabel, parts.sliderLabel),
      make("div", { className: "both" },
        make("section", {}, parts.now, parts.toldTitle, parts.told),
        make("section", {}, parts.stepsTitle, parts.steps)),
      parts.after,
      parts.keys);
  };

  const show = (renewed = false) => {
    document.documentElement.lang = lang;
    if (renewed) {
      parts.title.replaceChildren(game.game[lang], " ", make("span", { className: "muted", textContent: game.scenario[lang] }));
      parts.seats.textContent = game.players[lang].join(" · ");
      parts.eye.replaceChildren(...game.eyes.map((name, n) => option(n, called(name) ?? word("view_all"), n === eye)));
      parts.lang.replaceChildren(option("en", "English", lang === "en"), option("de", "Deutsch", lang === "de"));
      parts.eyeLabel.firstChild.textContent = word("view_eye");
      parts.langLabel.firstChild.textContent = word("view_language");
      parts.toldTitle.textContent = word("position");
      parts.told.setAttribute("aria-label", word("position"));
      parts.stepsTitle.textContent = word("view_steps");
      parts.steps.setAttribute("aria-label", word("view_steps"));
      parts.keys.textContent = word("view_keys");
      for (const key of ["view_first", "view_back", "view_next", "view_last"]) parts[key].textContent = word(key);
      const rows = [];
      for (let n = 1; n <= last; n += 1) {
        const title = game.texts[game.titles[lang][eye][n]];
        if (!title) continue;
        const row = make("button", { type: "button", className: "step", onclick: () => go(n) },
          make("span", { textContent: n }), make("span", { textContent: title.replace(/^[-=]+ /, "") }));
        row.dataset.number = n;
        rows.push(make("li", {}, row));
      }
      parts.steps.replaceChildren(...rows);
    }
    parts.view_run.textContent = word(clock ? "view_pause" : "view_run");
    parts.view_first.disabled = parts.view_back.disabled = at === 0;
    parts.view_next.disabled = parts.view_last.disabled = at === last;
    parts.slider.value = at;
    const where = `${word("view_step")} ${at} ${word("view_of")} ${last}`;
    parts.sliderLabel.firstChild.textContent = where;
    const lines = game.lines[lang][eye][at].map((place) => game.texts[place]);
    if (at === 0) lines.unshift(word("view_start"));
    if (at === last) lines.push(game.over ? word("over") : word("unfinished"), ...game.result[lang]);
    parts.now.replaceChildren(list("ol", lines, "now"));
    parts.after.replaceChildren(...(at === last ? game.insights[lang][eye] : []).map(insight));
    parts.told.textContent = game.boards[game.told[lang][eye][at]].map((place) => game.texts[place]).join("\n");
    for (const row of parts.steps.querySelectorAll(".step")) {
      const here = Number(row.dataset.number) === at;
      if (here) {
        row.setAttribute("aria-current", "step");
        parts.steps.scrollTop = row.parentElement.offsetTop - parts.steps.offsetTop - 120;
      } else row.removeAttribute("aria-current");
    }
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });

  build();
  show(true);
})();
