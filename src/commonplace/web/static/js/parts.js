// The few components that every place is made of.

import { html, useEffect, useLayoutEffect, useRef, useState } from "./core.js";
import { post, path } from "./api.js";
import { number } from "./words.js";

const SHAPES = {
  memory: "M6 3h11a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM8 3v18M11.5 8h4M11.5 12h4",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 21 21",
  recall: "M4 5h16v11H9l-5 4zM8 9h8M8 12.500h5",
  days: "M5 5h14a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM4 10h16M8.500 3v4M15.500 3v4",
  inbox: "M4 13.500 6.500 5h11L20 13.500V19H4zM4 13.500h4.500a3.500 3.500 0 0 0 7 0H20",
  history: "M4 12a8 8 0 1 0 2.700-6L4 8.300M4 4v4.300h4.300M12 8v4.500l3 1.800",
  tidy: "M14 4l6 6M17 7l-7.500 7.500M9.500 14.500c-3-.5-5 2-5.500 6 4 0 6.500-2 6-5zM6 4v4M4 6h4M19 15v4M17 17h4",
  health: "M3 12h4l2.500-6 4.500 12 2.500-6H21",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  plus: "M12 5v14M5 12h14",
  pen: "M4 20l1-4.500L16 4.500l3.500 3.500L8.500 19zM14 6.500 17.500 10",
  move: "M4 12h15M13.500 6.500 19 12l-5.500 5.500",
  lock: "M6.500 11h11v9h-11zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
  unlock: "M6.500 11h11v9h-11zM8.500 11V8a3.500 3.500 0 0 1 6.800-1.200",
  trash: "M5 7h14M10 7V4.500h4V7M7 7l.8 12.500h8.400L17 7M10.500 10.500v6M13.500 10.500v6",
  erase: "M8 20h12M5.500 14.500 14 6l5 5-8.500 8.500H8z",
  origin: "M12 3v5M12 8c0 5-7 4-7 9M12 8c0 5 7 4 7 9M5 17v3M19 17v3",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.500 10 17 19 7",
  warn: "M12 4 2.800 19.500h18.400zM12 10v4.500M12 17.200h.01",
  info: "M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17zM12 11v5M12 8h.01",
  sun: "M12 15.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600 7 7M17 17l1.400 1.400M5.600 18.400 7 17M17 7l1.400-1.400",
  moon: "M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z",
  book: "M5 4h5a2 2 0 0 1 2 2v14a2 2 0 0 0-2-2H5zM19 4h-5a2 2 0 0 0-2 2v14a2 2 0 0 1 2-2h5z",
  keys: "M4 7h16v10H4zM7 10h.01M10.300 10h.01M13.600 10h.01M17 10h.01M8 14h8",
  left: "M14.500 6 8.500 12l6 6",
  right: "M9.500 6l6 6-6 6",
  file: "M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5",
  chat: "M4 5h16v11H9l-5 4z",
  undo: "M8 5 4 9l4 4M4 9h10a5.500 5.500 0 0 1 0 11h-3",
};

export function Icon({ name }) {
  return html`<svg class=${`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${SHAPES[name]} /></svg>`;
}

export function Button({ icon, children, kind = "", busy = false, disabled = false, label, ...rest }) {
  const only = icon && !children;
  return html`<button type="button" ...${rest} class=${`btn ${kind} ${only ? "only-icon" : ""}`}
    disabled=${disabled || busy} aria-busy=${busy || undefined} aria-label=${label} title=${only ? label : undefined}>
    ${icon && html`<${Icon} name=${icon} />`}${children}</button>`;
}

// The head of a page. The heading takes the focus when the page opens, so that a screen reader says where one is.
export function Head({ title, lead, children }) {
  const heading = useRef(null);
  useEffect(() => {
    document.title = `${title} · Commonplace`;
    if (document.activeElement === document.body || document.activeElement?.closest(".side")) heading.current.focus({ preventScroll: true });
  }, [title]);
  return html`<header class="page-head">
    <div><h1 tabindex="-1" ref=${heading}>${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>
    ${children && html`<div class="row">${children}</div>`}
  </header>`;
}

export function Note({ kind = "", icon, children, ...rest }) {
  const shown = icon ?? { warn: "warn", bad: "warn", good: "check" }[kind] ?? "info";
  return html`<div class=${`note ${kind}`} ...${rest}><${Icon} name=${shown} /><div class="stack tight">${children}</div></div>`;
}

export function Problem({ trouble, retry }) {
  if (!trouble) return null;
  return html`<${Note} kind="bad" role="alert"><p>${trouble.message}</p>
    ${trouble.hint && html`<p class="soft">${trouble.hint}</p>`}
    ${retry && html`<div><${Button} kind="small" onClick=${retry}>Try again</${Button}></div>`}</${Note}>`;
}

export function Empty({ icon, title, children }) {
  return html`<div class="empty"><${Icon} name=${icon} /><h2>${title}</h2>${children}</div>`;
}

// What a page shows until its data is there: nothing for a moment, then a word.
export function Loading({ words = "One moment …" }) {
  const [late, set] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => set(true), 250);
    return () => clearTimeout(timer);
  }, []);
  return html`<p class="waiting" role="status">${late ? words : ""}</p>`;
}

// An answer, once it is there. `title` heads the page until then, `words` say what takes long; what does not exist is
// said so.
export function Loaded({ of, title, words, children }) {
  if (of.data === null) {
    return html`${title && html`<${Head} title=${title} />`}${!of.trouble ? html`<${Loading} words=${words} />`
      : of.trouble.status === 404 ? html`<${Empty} icon="info" title="It is not here"><p>It may have been forgotten, or the link belongs to another book.</p></${Empty}>`
      : html`<${Problem} trouble=${of.trouble} retry=${of.reload} />`}`;
  }
  return html`${of.trouble && html`<${Problem} trouble=${of.trouble} retry=${of.reload} />`}${children(of.data)}`;
}

export function Dialog({ title, wide, onClose, children }) {
  const box = useRef(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    box.current.showModal();
    return () => before?.isConnected && before.focus();
  }, []);
  const outside = (event) => event.target === box.current && onClose();
  return html`<dialog ref=${box} class=${wide ? "wide" : ""} aria-label=${title} onMouseDown=${outside}
    onCancel=${(event) => { event.preventDefault(); onClose(); }}>
    <div class="dialog-head"><h2>${title}</h2><${Button} kind="quiet" icon="close" label="Close" onClick=${onClose} /></div>
    <div class="dialog-body stack">${children}</div>
  </dialog>`;
}

// A button with a list of actions: arrows move, Escape closes, and the focus comes back.
export function Menu({ label, actions, kind = "quiet", icon = "more" }) {
  const [open, set] = useState(false);
  const [up, setUp] = useState(false);
  const box = useRef(null);
  useEffect(() => {
    if (!open) return undefined;
    box.current.querySelector("[role=menuitem]")?.focus();
    const outside = (event) => box.current.contains(event.target) || set(false);
    addEventListener("pointerdown", outside);
    return () => removeEventListener("pointerdown", outside);
  }, [open]);
  const close = () => {
    set(false);
    box.current.querySelector("button").focus();
  };
  const move = (event) => {
    const items = [...box.current.querySelectorAll("[role=menuitem]")];
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Escape") close();
    else if (event.key === "Tab") set(false);
    else if (to !== undefined) items.at(to % items.length).focus();
    else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
  };
  const toggle = () => {
    setUp(box.current.getBoundingClientRect().bottom > innerHeight - 330);
    set(!open);
  };
  return html`<div class="menu" ref=${box} onKeyDown=${open ? move : undefined}>
    <${Button} kind=${kind} icon=${icon} label=${label} aria-haspopup="menu" aria-expanded=${open} onClick=${toggle} />
    ${open && html`<div class=${`menu-list ${up ? "up" : ""}`} role="menu" aria-label=${label}>${actions.filter(Boolean).map((action) => html`
      <button type="button" role="menuitem" tabindex="-1" class=${action.danger ? "danger" : ""}
        onClick=${() => { close(); action.run(); }}><${Icon} name=${action.icon} />${action.words}</button>`)}</div>`}
  </div>`;
}

export function Tabs({ label, tabs }) {
  return html`<nav class="tabs" aria-label=${label}>${tabs.map(({ words, to, open }) => html`
    <a href=${to} aria-current=${open ? "true" : undefined}>${words}</a>`)}</nav>`;
}

export function More({ pages, words }) {
  const [busy, set] = useState(false);
  if (!pages.next) return null;
  const more = async () => {
    set(true);
    await pages.more().catch(() => {});
    set(false);
  };
  const left = pages.total === null ? "" : ` (${number(pages.total - pages.items.length)} more)`;
  return html`<div class="row"><${Button} busy=${busy} onClick=${more}>${words ?? "Show more"}${left}</${Button}></div>`;
}

export function JobProgress({ job, words, cancel }) {
  return html`<div class="progress card" role="status">
    <div class="row between"><span>${words}</span><span class="row"><span class="soft num">${job.of ? `${number(job.done)} of ${number(job.of)}` : ""}</span>
      ${cancel && html`<${Button} kind="small" onClick=${cancel}>Cancel</${Button}>`}</span></div>
    <progress aria-label=${words} max=${job.of || undefined} value=${job.of ? job.done : undefined}></progress>
  </div>`;
}

// -- what was done, said in a corner, with a way back ------------------------------------------------------------

let show = () => {};

export function say(words, { change, act, name } = {}) {
  show({ words, change, act, name, key: Symbol() });
}

export function Toasts() {
  const [toast, set] = useState(null);
  const timer = useRef(0);
  show = set;
  useEffect(() => {
    clearTimeout(timer.current);
    if (toast) timer.current = setTimeout(() => set(null), 12000);
  }, [toast]);
  const undo = async () => {
    set(null);
    try {
      const done = await post(path`/changes/${toast.change}/undo`);
      say("Undone.", { change: done.change, name: "Redo" });
    } catch (trouble) {
      say(trouble.message);
    }
  };
  return html`<div class="toasts" role="status" aria-live="polite">${toast && html`<div class="toast" key=${toast.key}>
    <span class="grow">${toast.words}</span>
    ${toast.change && html`<${Button} kind="small" onClick=${undo}>${toast.name ?? "Undo"}</${Button}>`}
    ${toast.act && html`<${Button} kind="small" onClick=${() => { set(null); toast.act(); }}>${toast.name}</${Button}>`}
    <${Button} kind="small" icon="close" label="Close this message" onClick=${() => set(null)} />
  </div>`}</div>`;
}

// Marks the words of a question in a text.
export function marking(words) {
  const wanted = [...new Set(words.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])].slice(0, 20);
  if (!wanted.length) return undefined;
  const form = new RegExp(`(?<![\\p{L}\\p{N}])((?:${wanted.join("|")})\\p{L}{0,3})(?![\\p{L}\\p{N}])`, "giu");
  return (text) => text.split(form).map((piece, at) => (at % 2 ? html`<mark>${piece}</mark>` : piece));
}
