// Days: a calendar that shows where something happened, and what is written about a day.

import { html, useEffect, useState } from "../core.js";
import { path, post } from "../api.js";
import { useLoad } from "../live.js";
import { go } from "../router.js";
import { Button, Empty, Head, Icon, Loaded, Problem, Tabs, say } from "../parts.js";
import { Markdown } from "../markdown.js";
import { dayOf, longDay, monthName, plural, shortDay, timeOf } from "../words.js";
import { messageAddress } from "./entry-dialogs.js";

const FILES = ["daily/", "sessions/", "MEMORY.md", "INBOX.md"];
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

export const dayTabs = (open) => html`<${Tabs} label="Days and conversations" tabs=${[
  { words: "Calendar", to: "/days", open: open === "days" }, { words: "Conversations", to: "/conversations", open: open === "conversations" }]} />`;

const weight = (day) => (day.log ? 1 : 0) + (day.sessions ? 1 : 0) + Math.min(2, Math.floor((day.messages + day.changes) / 12));

function told(day) {
  const parts = [day.log && "a log", day.sessions && plural(day.sessions, "conversation"), day.changes && plural(day.changes, "change")].filter(Boolean);
  return `${longDay(day.day)}: ${parts.join(", ")}`;
}

function Month({ year, month, known, today }) {
  const count = new Date(year, month + 1, 0).getDate();
  const before = (new Date(year, month, 1).getDay() + 6) % 7;
  const cells = Array.from({ length: count }, (_, at) => dayOf(new Date(year, month, at + 1)));
  return html`<section class="month" aria-label=${`${monthName(year, month)} ${year}`}><h2>${monthName(year, month)}</h2>
    <ol class="month-grid">${WEEKDAYS.map((name) => html`<li class="weekday" aria-hidden="true">${name[0]}</li>`)}
      ${Array.from({ length: before }, () => html`<li aria-hidden="true"></li>`)}
      ${cells.map((day, at) => {
        const found = known.get(day);
        const now = day === today ? "today" : "";
        return found
          ? html`<li><a class=${`day-cell w${Math.max(1, weight(found))} ${now}`} href=${`/days/${day}`} aria-label=${told(found)} title=${told(found)}>${at + 1}</a></li>`
          : html`<li><span class=${`day-cell ${now}`}>${at + 1}</span></li>`;
      })}</ol></section>`;
}

// The months of a year from the first day that is known to today, or to the last. Where they stand below each other, the newest comes first.
function months(year, { first, last }, today) {
  const until = last && last > today ? last : today;
  const named = Array.from({ length: 12 }, (_, month) => month).filter((month) => {
    const name = `${year}-${String(month + 1).padStart(2, "0")}`;
    return name >= (first ?? "").slice(0, 7) && name <= until.slice(0, 7);
  });
  return matchMedia("(max-width: 560px)").matches ? named.reverse() : named;
}

function Calendar({ query, about }) {
  const [wanted, setWanted] = useState(query.get("year") ?? about.today.slice(0, 4));
  const days = useLoad("/days", { year: wanted }, FILES);
  useEffect(() => {
    go(`/days?year=${wanted}`, { replace: true });
  }, [wanted]);
  return html`<div class="page wide"><${Head} title="Days" lead="What was written about each day, and the conversations behind it.">${dayTabs("days")}</${Head}>
    <${Loaded} of=${days}>${(data) => {
      const years = [...new Set([...data.years.map(String), about.today.slice(0, 4), wanted])].sort();
      const known = new Map(data.days.map((day) => [day.day, day]));
      const at = years.indexOf(wanted);
      return html`<div class="stack loose">
        <div class="row between"><div class="row"><${Button} icon="left" label="The year before" disabled=${at <= 0} onClick=${() => setWanted(years[at - 1])} />
          <label><span class="unseen">Year</span><select class="input" value=${wanted} onChange=${(event) => setWanted(event.target.value)}>${years.map((year) => html`<option value=${year}>${year}</option>`)}</select></label>
          <${Button} icon="right" label="The year after" disabled=${at >= years.length - 1} onClick=${() => setWanted(years[at + 1])} /></div>
          <span class="soft" role="status">${data.days.length ? `Something happened on ${plural(data.days.length, "day")} of ${wanted}: the more, the stronger the colour` : data.years.length ? `Nothing happened in ${wanted}` : ""}</span></div>
        ${data.years.length === 0 ? html`<${Empty} icon="days" title="No day is written down yet"><p>When you talk with an agent, or with <code>commonplace chat</code>, each conversation is summed up here, day by day. You can also write something about today yourself.</p>
          <a class="btn main-act" href=${`/days/${about.today}`}><${Icon} name="pen" />Write about today</a></${Empty}>`
          : html`<div class="months">${months(wanted, data, about.today).map((month) => html`<${Month} key=${month} year=${Number(wanted)} month=${month} known=${known} today=${about.today} />`)}</div>`}
      </div>`;
    }}</${Loaded}></div>`;
}

function Writing({ day }) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState(null);
  const save = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      const done = await post(path`/days/${day}/blocks`, { text });
      setText("");
      say("Written down.", { change: done.change });
    } catch (problem) {
      setTrouble(problem);
    }
    setBusy(false);
  };
  return html`<div class="stack tight"><label class="field"><span>Write something down for this day</span><textarea class="input" rows="2" value=${text} onInput=${(event) => setText(event.target.value)}></textarea></label>
    <${Problem} trouble=${trouble} />
    <div class="row end"><${Button} busy=${busy} disabled=${!text.trim()} onClick=${save}>Add to the log</${Button}></div></div>`;
}

export function SessionRow({ session }) {
  return html`<li><a class="session-row" href=${messageAddress(session.id)}><${Icon} name="chat" /><span class="grow"><strong>${session.title || "A conversation"}</strong>
    <span class="soft small">${shortDay(session.started.slice(0, 10))}, ${timeOf(session.started)} · ${plural(session.messages, "message")}${session.unlogged ? ` · ${session.unlogged} not in the log yet` : ""}</span></span>
    <${Icon} name="right" /></a></li>`;
}

function Day({ day }) {
  const loaded = useLoad(path`/days/${day}`, {}, FILES);
  return html`<div class="page"><${Head} title=${longDay(day)}>
      <a class="btn" href=${`/days?year=${day.slice(0, 4)}`}><${Icon} name="days" />Calendar</a></${Head}>
    <${Loaded} of=${loaded}>${(data) => html`<div class="stack loose">
      <nav class="row between" aria-label="Other days">
        ${data.previous ? html`<a class="btn quiet" href=${`/days/${data.previous}`}><${Icon} name="left" /><span class="unseen">The day before on which something happened: </span>${shortDay(data.previous)}</a>` : html`<span></span>`}
        ${data.next && html`<a class="btn quiet" href=${`/days/${data.next}`}><span class="unseen">The next day on which something happened: </span>${shortDay(data.next)}<${Icon} name="right" /></a>`}</nav>
      <section class="stack" aria-label="The log of the day">
        ${data.blocks.length === 0 && html`<p class="soft">Nothing is written down about this day.</p>`}
        ${data.blocks.map((block) => html`<article class="card log-block"><${Markdown} text=${block.text} />
          ${block.session && html`<a class="small row" href=${messageAddress(block.session)}><${Icon} name="chat" />the conversation behind it</a>`}</article>`)}
      </section>
      ${data.sessions.length > 0 && html`<section class="stack tight" aria-labelledby="talks"><h2 id="talks">Conversations of the day</h2>
        <ul class="card flush rows">${data.sessions.map((session) => html`<${SessionRow} session=${session} />`)}</ul></section>`}
      <${Writing} day=${day} />
    </div>`}</${Loaded}></div>`;
}

export default function Days({ parts, query, about }) {
  return /^\d{4}-\d{2}-\d{2}$/.test(parts[0] ?? "") ? html`<${Day} key=${parts[0]} day=${parts[0]} />` : html`<${Calendar} query=${query} about=${about} />`;
}
