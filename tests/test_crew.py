"""Threads that do a list of jobs together: everything once, nobody left behind, errors told."""

from __future__ import annotations

import threading
import time

import pytest

from probespiel.training.crew import Crew


def test_every_job_is_done_once_by_one_worker_at_a_time() -> None:
    done: list[tuple[int, int]] = []
    busy = [threading.Lock() for _ in range(3)]

    def job(number: int, worker: int) -> None:
        assert busy[worker].acquire(blocking=False), "two jobs of one worker side by side"
        time.sleep(0.001)
        done.append((number, worker))
        busy[worker].release()

    for many in (0, 1, 2, 20):
        done.clear()
        Crew(3).do([lambda worker, number=number: job(number, worker) for number in range(many)])
        assert sorted(number for number, _ in done) == list(range(many))
        assert {worker for _, worker in done} <= set(range(3))


def test_one_thread_works_alone_and_in_order() -> None:
    crew, done = Crew(1), list[int]()
    crew.do([done.append] * 3)
    assert crew.pool is None and done == [0, 0, 0]


@pytest.mark.parametrize("slow", [0, 1], ids=["this thread", "the other"])
def test_who_has_begun_is_waited_for(slow: int) -> None:
    both, ended = threading.Barrier(2), list[int]()

    def job(worker: int) -> None:
        both.wait(timeout=20)
        if worker == slow:
            time.sleep(0.1)
        ended.append(worker)

    Crew(2).do([job, job])
    assert ended == [1 - slow, slow]


@pytest.mark.parametrize("failing", [0, 1], ids=["this thread", "the other"])
def test_an_error_of_any_thread_is_told_when_all_have_ended(failing: int) -> None:
    both, ended = threading.Barrier(2), list[int]()

    def job(worker: int) -> None:
        both.wait(timeout=20)
        if worker == failing:
            raise ZeroDivisionError(f"worker {worker}")
        time.sleep(0.1)
        ended.append(worker)

    with pytest.raises(ZeroDivisionError, match=f"worker {failing}"):
        Crew(2).do([job, job])
    assert ended == [1 - failing]
