// Plain words for dates, numbers and the codes of the API.

const LONG = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
const SHORT = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const NEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "long" });
const NUMBER = new Intl.NumberFormat("en-GB");

// A day is no moment: it is read at noon so that no zone makes it another one.
const noon = (day) => new Date(`${day}T12:00:00`);

export const longDay = (day) => LONG.format(noon(day));
export const shortDay = (day) => SHORT.format(noon(day));
// Days of this year need no year.
export const nearDay = (day) => (day.startsWith(`${new Date().getFullYear()}-`) ? NEAR : SHORT).format(noon(day));
export const monthName = (year, month) => MONTH.format(new Date(year, month, 1));
export const moment = (at) => `${SHORT.format(new Date(at))}, ${TIME.format(new Date(at))}`;
export const timeOf = (at) => TIME.format(new Date(at));
export const number = (value) => NUMBER.format(value);
export const dayOf = (date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

export function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

export function ago(at) {
  const seconds = Math.max(0, (Date.now() - new Date(at)) / 1000);
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  const then = dayOf(new Date(at));
  if (then === dayOf(new Date())) return `today, ${timeOf(at)}`;
  if (then === dayOf(new Date(Date.now() - 864e5))) return `yesterday, ${timeOf(at)}`;
  return moment(at);
}

export function size(bytes) {
  if (bytes < 1024) return plural(bytes, "byte");
  if (bytes < 1024 * 1024) return `${number(Math.round(bytes / 1024))} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

export const ORIGINS = {
  person: "you", tool: "an agent", flush: "a conversation", compaction: "tidying up", import: "an import",
  restore: "a restored backup", undo: "undo",
};

export const VOICES = {
  user: "your words", assistant: "an assistant's words", tool: "words of a tool", web: "words of a web page",
  file: "words of a file", import: "from an import",
};

export const SOURCES = { long_term: "Memory", daily_log: "Day", session: "Conversation" };

const COMPONENTS = {
  cosine: "meaning", words: "words of the question", coverage: "how many of the words", session_words: "words in its conversation",
  session_best: "best of its conversation", session_mean: "its conversation", near_words: "words close by", far_words: "words around it",
  next_cosine: "what comes after it", asks: "it asks something itself", follows_question: "it answers a question", speaker: "who is spoken of",
  assistant: "said by the assistant", time_words: "the time asked for", numbers: "numbers", in_dates: "the date asked for",
  small_talk: "small talk", recency: "how recent", kept: "kept in the memory",
};

export const componentName = (name) => COMPONENTS[name] ?? name.replaceAll("_", " ");

const DOUBTS = {
  secret: "Secret", instruction: "A command", duplicate: "Said twice", same_fact: "Said twice in other words", contradiction: "Contradiction",
  stale: "Out of date", transient: "Passing state", one_off: "Seen once", third_party: "Words of others", several_facts: "Several facts in one",
  too_long: "Too long", structure: "Structure", note: "Note",
};

export const doubtName = (kind) => DOUBTS[kind] ?? kind.replaceAll("_", " ");

const DEEDS = { Restore: "Restored", Summarise: "Summarised", Begin: "Began", Remember: "Saved", Revise: "Changed", Forget: "Forgotten", Protect: "Protected", Unprotect: "No longer protected", Move: "Moved", Accept: "Accepted", Reject: "Rejected" };
const WHOLE = {
  "Hold for the person": "Held for you", "Propose to the person": "Proposed to you", "Compact the memory": "Tidied up",
  "Rewrite the memory": "Rewritten", "Mend what an audit found": "Put right",
};

// What a change did, as its note tells it to programs too: a label in plain words, and the text without its markup.
export function deed(summary) {
  const [, note, text] = summary.match(/^([^:]{3,80}): ([^]+)$/) ?? [null, summary, ""];
  if (note === "Undo") return { ...deed(text), label: `Undone: ${deed(text).label}` };
  const day = note.match(/^Log on (\d{4}-\d\d-\d\d)$/)?.[1];
  const [first, ...rest] = note.split(" ");
  const hand = note.match(/^Edit (.+) by hand$/)?.[1];
  const label = day ? `Written on ${shortDay(day)}` : hand ? `${hand} was edited by hand` : WHOLE[note] ?? (DEEDS[first] ? [DEEDS[first], ...rest].join(" ") : note);
  return { label, text: text.replace(/^(#+|[-*+]) /, "").replaceAll(/ (#+|[-*+]) /g, " · ") };
}

export const STEPS = { merge: "Merge", reword: "Reword", move: "Move", drop: "Remove", join: "Join sections" };
