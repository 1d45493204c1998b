"""The real agents, offline, with a scripted model: what they are told, and what their sessions leave."""

import os
import signal
import time

import pytest

from commonplace.types import Origin
from tests.clients.agents import PATIENCE, Agent, agent
from tests.wire.server import Answer, Request

__all__ = ["agent"]

pytestmark = [pytest.mark.clients, pytest.mark.timeout(900)]


@pytest.mark.req("HOOK-1", "TRIG-1", "REC-3")
def test_a_session_is_told_what_is_known_and_leaves_what_was_said_once(agent: Agent) -> None:
    folder = agent.project("harbour")
    agent.memory(folder).remember("The staging server is called heron", "projects", origin=Origin.PERSON)
    told = agent.ask(folder, "We deploy on Thursdays, never on Fridays.")
    assert "The staging server is called heron" in told
    assert "save_memory" in told
    told = agent.ask(folder, "Which day do we deploy?")
    assert "We deploy on Thursdays" in told
    log = agent.log(folder)
    assert log.count("We deploy on Thursdays, never on Fridays.") == 1
    transcripts = [agent.memory(folder).transcript(session) for session in agent.memory(folder).sessions()]
    said = [message.text for transcript in transcripts for message in transcript.messages if message.role == "user"]
    assert sorted(said) == ["We deploy on Thursdays, never on Fridays.", "Which day do we deploy?"]
    assert not any("commonplace-memory" in text or "heron" in text for text in said)


@pytest.mark.req("NS-2", "S8")
def test_nothing_of_one_project_is_told_in_another(agent: Agent) -> None:
    one, two = agent.project("one"), agent.project("two")
    agent.memory(one).remember("The launch code name is Kingfisher", "projects", origin=Origin.PERSON)
    agent.memory(one).remember("Prefers short answers", "preferences", origin=Origin.PERSON)
    agent.ask(one, "The customer of this project is called Brightwater.")
    told = agent.ask(two, "What is the launch code name, and who is the customer?")
    assert "Kingfisher" not in told
    assert "Brightwater" not in told
    assert "Prefers short answers" in told


@pytest.mark.req("TRIG-4", "HOOK-1")
def test_a_killed_agent_loses_nothing_that_it_had_written_down(agent: Agent) -> None:
    folder = agent.project("harbour")
    slow = agent.model.reply

    def never_ending(asked: Request) -> Answer:
        return Answer(slow(asked).pieces[:1], ending="silent")

    agent.model.reply = never_ending
    with agent.started(folder, "The pilot boat is called Gannet.") as process:
        deadline = time.monotonic() + PATIENCE
        while not (agent.model.requests and agent.wrote("Gannet")) and time.monotonic() < deadline:
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGKILL)
    agent.model.reply = slow
    agent.ask(folder, "Hello again.")
    agent.left_alone(folder)
    assert agent.log(folder).count("The pilot boat is called Gannet.") == 1
