"""Whether a text has several facts. (To be replaced by the real rule.)"""

from commonplace.gate.suspicion import Suspicion


def several_facts(text: str) -> Suspicion | None:
    return None
