"""Exit statuses: one table from the code of an error to the status of the process."""

OK = 0
PROBLEM = 1
INTERRUPTED = 130
ENDED_BY_SIGNAL = 128
BROKEN_PIPE = 141

STATUS_OF = {
    "error": PROBLEM,
    "unexpected": PROBLEM,
    "declined": PROBLEM,
    "left_over": PROBLEM,
    "usage": 2,
    "validation_error": 2,
    "not_found": 3,
    "duplicate_detected": 4,
    "same_fact": 4,
    "newer_value": 4,
    "ambiguous_match": 4,
    "conflict": 4,
    "busy": 5,
    "storage_failed": 6,
    "save_failed": 6,
    "update_failed": 6,
    "unreadable_file": 6,
    "unsafe_path": 6,
    "history_damaged": 6,
    "book_missing": 7,
    "config_error": 7,
    "embedder_failed": 8,
    "model_failed": 9,
    "usage_cap": 9,
    "not_verified": 9,
    **dict.fromkeys(
        (
            "secret",
            "transient",
            "one_off",
            "echo",
            "several_facts",
            "third_party",
            "instruction",
            "protected",
            "unsupported",
            "inferred",
        ),
        10,
    ),
    "interrupted": INTERRUPTED,
}

MEANINGS = {
    OK: "done",
    PROBLEM: "doctor, audit or bench found something, you said no, forgetting left something, or an unexpected error",
    2: "the command was used wrongly, or a text cannot be stored as it is",
    3: "no such entry, section, log, change, backup or book",
    4: "already there, perhaps in other words; more than one match; or changed by someone else meanwhile",
    5: "another process is writing to the book",
    6: "the disk or a file said no; the message says so if something was changed all the same",
    7: "a setting is wrong, or the book is not where it was",
    8: "the embedding model cannot be used",
    9: "the chat model gave no answer, or none that could be used; or the tokens allowed for a day are used up",
    10: "the gate stopped it: a secret, not worth keeping, or held in the inbox for you to decide",
    INTERRUPTED: "interrupted with Ctrl-C",
    BROKEN_PIPE: "the program that read the output stopped reading",
}


def status_of(code: str) -> int:
    return STATUS_OF.get(code, PROBLEM)
