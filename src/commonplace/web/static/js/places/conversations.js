// Conversations: the list, searchable, and one of them to read, from its beginning or around one message.

import { html, useEffect, useRef, useState } from "../core.js";
import { get, patch, path } from "../api.js";
import { useChanges, useLoad, usePages } from "../live.js";
import { go } from "../router.js";
import { Button, Empty, Head, Icon, Loaded, Loading, More, Problem, say } from "../parts.js";
import { Markdown } from "../markdown.js";
import { moment, plural, timeOf, shortDay } from "../words.js";
import { SessionRow, dayTabs } from "./days.js";

const FILES = ["sessions/"];

function List({ query }) {
  const written = query.get("q") ?? "";
  const [words, setWords] = useState(written);
  const pages = usePages("/sessions", { q: written, limit: 50 }, FILES);
  useEffect(() => {
    if (words === written) return undefined;
    const timer = setTimeout(() => go(words.trim() ? `/conversations?${new URLSearchParams({ q: words })}` : "/conversations", { replace: true }), 220);
    return () => clearTimeout(timer);
  }, [words]);
  const none = pages.fresh && !pages.items.length;
  return html`<div class="page wide"><${Head} title="Conversations" lead=${pages.total ? plural(pages.total, "conversation") : ""}>${dayTabs("conversations")}</${Head}>
    <div class="stack">
      ${(!none || written) && html`<label class="big-input small-one"><span class="unseen">Search in the conversations</span><${Icon} name="search" />
        <input class="input" type="search" value=${words} placeholder="What was it about?" onInput=${(event) => setWords(event.target.value)} /></label>`}
      <${Problem} trouble=${pages.trouble} retry=${pages.reload} />
      <p class="unseen" role="status">${pages.fresh ? plural(pages.items.length, "conversation") : ""}</p>
      ${none && !written && html`<${Empty} icon="chat" title="No conversation yet"><p>Talk with <code>commonplace chat</code>, or connect the agents you have with <code>commonplace install</code>: every conversation is kept here, in files of yours.</p></${Empty}>`}
      ${none && written && html`<p class="soft">In no conversation were these words said.</p>`}
      ${pages.items.length > 0 && html`<ul class="card flush rows">${pages.items.map((session) => html`<${SessionRow} key=${session.id} session=${session} />`)}</ul>`}
      <${More} pages=${pages} />
    </div></div>`;
}

const SPEAKERS = { user: "You", assistant: "Assistant", tool: "A tool", event: "Event" };

function Message({ message, chosen }) {
  return html`<li class=${`message ${message.role} ${chosen ? "chosen" : ""}`} id=${`message-${message.id}`} tabindex="-1" aria-current=${chosen ? "true" : undefined}>
    <div class="row between small"><strong>${message.name ?? SPEAKERS[message.role] ?? message.role}</strong><time class="soft num" datetime=${message.at} title=${moment(message.at)}>${timeOf(message.at)}</time></div>
    ${message.role === "tool" ? html`<p class="pre small">${message.text}</p>` : html`<${Markdown} text=${message.text} />`}
  </li>`;
}

// A window of messages that grows at both ends.
function useMessages(id, around) {
  const [state, set] = useState(null);
  const where = path`/sessions/${id}/messages`;
  const load = async () => {
    try {
      const page = await get(where, around ? { around, limit: 60 } : { limit: 60 });
      set({ items: page.items, next: page.next, previous: page.previous ?? null, total: page.total });
    } catch (trouble) {
      set({ trouble });
    }
  };
  useEffect(() => {
    load();
  }, [id, around]);
  useChanges((change) => {
    if (!change.files.some((name) => name.startsWith(`sessions/${id}`)) || !state?.items || state.next) return;
    const last = state.items.at(-1);
    get(where, last ? { around: last.id, limit: 60 } : { limit: 60 }).then((page) => set((old) => {
      const known = new Set(old.items.map((one) => one.id));
      return { ...old, items: [...old.items, ...page.items.filter((one) => !known.has(one.id))], next: page.next };
    })).catch(() => {});
  });
  const more = async (end) => {
    const page = await get(where, { cursor: state[end], limit: 60 });
    set((old) => (end === "next"
      ? { ...old, items: [...old.items, ...page.items], next: page.next }
      : { ...old, items: [...page.items, ...old.items], previous: page.previous ?? null }));
  };
  return [state, more, load];
}

function Title({ info }) {
  const [text, setText] = useState(null);
  const save = async (event) => {
    event.preventDefault();
    try {
      await patch(path`/sessions/${info.id}`, { title: text });
      setText(null);
      say("Renamed.");
    } catch (trouble) {
      say(trouble.message);
    }
  };
  if (text === null) return html`<${Button} kind="quiet" icon="pen" onClick=${() => setText(info.title)}>Rename</${Button}>`;
  return html`<form class="row" onSubmit=${save}><input class="input slim" size="36" aria-label="Title of the conversation" value=${text} maxlength="200" onInput=${(event) => setText(event.target.value)} />
    <button class="btn">Save</button><${Button} kind="quiet" onClick=${() => setText(null)}>Cancel</${Button}></form>`;
}

function Conversation({ id, around }) {
  const info = useLoad(path`/sessions/${id}`, {}, FILES);
  const [state, more, reload] = useMessages(id, around);
  const arrived = useRef(false);
  useEffect(() => {
    if (!around || !state?.items || arrived.current) return;
    arrived.current = true;
    const message = document.getElementById(`message-${around}`);
    message?.scrollIntoView({ block: "center" });
    message?.focus({ preventScroll: true });
  }, [state]);
  return html`<div class="page"><${Loaded} of=${info} title="A conversation">${(data) => html`
    <${Head} title=${data.title || "A conversation"} lead=${`${shortDay(data.started.slice(0, 10))}, ${timeOf(data.started)} to ${timeOf(data.last)} · ${plural(data.messages, "message")}`}>
      <${Title} info=${data} /><a class="btn" href=${`/days/${data.started.slice(0, 10)}`}><${Icon} name="days" />The day</a></${Head}>
    ${data.summary && html`<details class="card summary"><summary>Summary</summary><${Markdown} text=${data.summary} /></details>`}`}</${Loaded}>
    ${info.data && (!state ? html`<${Loading} />` : state.trouble ? html`<${Problem} trouble=${state.trouble} retry=${reload} />` : html`<div class="stack">
      ${state.previous && html`<div class="row"><${Button} onClick=${() => more("previous")}>Earlier messages</${Button}></div>`}
      <ol class="messages">${state.items.filter(({ role, text }) => role !== "event" || text).map((message) => html`<${Message} key=${message.id} message=${message} chosen=${message.id === around} />`)}</ol>
      ${state.next && html`<div class="row"><${Button} onClick=${() => more("next")}>Later messages</${Button}></div>`}
    </div>`)}</div>`;
}

export default function Conversations({ parts, query }) {
  return parts[0] ? html`<${Conversation} key=${parts[0] + query.get("message")} id=${parts[0]} around=${query.get("message") ?? ""} />` : html`<${List} query=${query} />`;
}
