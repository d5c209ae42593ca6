// The little that forms and links cannot do: where the focus goes after a part of the page was renewed, sliders that
// say what they mean, and keys for the numbered choices.
"use strict";

(() => {
  const readSlider = (slider) => {
    const out = document.getElementById(slider.dataset.reads);
    const texts = JSON.parse(slider.dataset.texts);
    if (out) out.textContent = texts[Number(slider.value)] ?? "";
    slider.setAttribute("aria-valuetext", texts[Number(slider.value)] ?? "");
  };

  // What the ticked things are together; nothing can be taken that is no set.
  const readSet = (form) => {
    const out = form.querySelector("output[data-sets]");
    const ticked = [...form.querySelectorAll("input[name=thing]:checked")].map((box) => Number(box.value));
    const note = JSON.parse(out.dataset.sets)[ticked.sort((a, b) => a - b).join(",")];
    out.textContent = note ?? out.dataset.not;
    form.querySelector("button").disabled = note === undefined;
  };

  const renew = () => {
    document.querySelectorAll("output[data-sets]").forEach((out) => readSet(out.form));
    document.querySelectorAll("input[data-reads]").forEach(readSlider);
    document.querySelectorAll("[data-scroll-here]").forEach((here) => {
      const box = here.closest("ol");
      box.scrollTop = here.offsetTop - box.offsetTop - 100;
    });
    document.querySelectorAll("[data-scroll-end]").forEach((box) => { box.scrollTop = box.scrollHeight; });
  };

  document.addEventListener("input", (event) => {
    if (event.target.matches("input[data-reads]")) readSlider(event.target);
    if (event.target.matches("input[name=thing]")) readSet(event.target.form);
  });

  // What had the focus is gone (a choice that is no longer there): the focus goes to what is asked now, and back to the
  // choice once that is there again, when others have decided.
  let held = "";
  document.addEventListener("focusin", ({ target }) => {
    if (target.id !== "now") held = target.matches("button.choice") ? target.id : "";
  });
  document.addEventListener("htmx:after:swap", () => {
    renew();
    const nowhere = !document.activeElement || document.activeElement === document.body;
    if (!nowhere && document.activeElement.id !== "now") return;
    const again = held ? document.getElementById(held) : null;
    if (again) again.focus({ preventScroll: true });
    else if (nowhere) document.getElementById("now")?.focus({ preventScroll: true });
  });

  // A decision waits for an answer that is on its way (`queue all`), but is made once: a second click on the same page
  // would only be told that it is too late. What is under way is known by its stamp until it is answered or fails.
  let deciding = null;
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    if (!/\/(act|undo)$/.test(ctx.request.action)) return;
    const stamp = ctx.request.body.get("stamp");
    if (deciding?.stamp === stamp) event.preventDefault();
    else deciding = { ctx, stamp };
  });
  ["htmx:after:swap", "htmx:finally:request"].forEach((name) => document.addEventListener(name, (event) => {
    if (deciding && event.detail.ctx === deciding.ctx) deciding = null;
  }));

  // A click that reached nobody says so, until something is answered again.
  const offline = (said) => {
    const box = document.getElementById("offline");
    const text = said ? box.dataset.text : "";
    if (box.textContent !== text) box.textContent = text;
  };
  document.addEventListener("htmx:error", (event) => { if (event.detail.ctx && !event.detail.ctx.response) offline(true); });
  document.addEventListener("htmx:before:response", () => offline(false));

  // Arrow keys, Home and End: the links that say so.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, .scroll, pre, ol")) return;
    const link = document.querySelector(`a[data-arrow="${event.key}"]`);
    if (link) {
      event.preventDefault();
      link.click();
    }
  });

  // Digits: the numbered choices. What begins a longer number, too, gets the focus alone: Enter takes it, or another digit
  // goes on with the number.
  const TOGETHER = 1500; // milliseconds between two digits of one number
  let typed = { text: "", at: 0 };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !/^[0-9]$/.test(event.key)) return;
    if (event.target.closest("input, select, textarea")) return;
    // what stands in a list that is not open has no number to be seen
    const open = (button) => !button.disabled && !button.closest("details:not([open])");
    const buttons = [...document.querySelectorAll("button[data-key]")].filter(open);
    const found = (text) => buttons.find((button) => button.dataset.key === text);
    const longer = Date.now() - typed.at < TOGETHER ? typed.text + event.key : event.key;
    const text = found(longer) ? longer : event.key;
    const button = found(text);
    const goesOn = buttons.some((other) => other.dataset.key !== text && other.dataset.key.startsWith(text));
    typed = goesOn ? { text, at: Date.now() } : { text: "", at: 0 };
    if (!button && !goesOn) return;
    event.preventDefault();
    if (!button) return; // numbers that begin like this are there, but not this one
    button.focus();
    if (!goesOn) button.click();
  });

  // A lobby that depends on the chosen game asks for its own part again (without scripts, by its button).
  document.addEventListener("DOMContentLoaded", renew);
})();
