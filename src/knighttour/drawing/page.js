// The player of the page. `events` are applied and taken back one by one, so that every position
// costs what changed since the one before, and a jump costs its distance.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { rows, cols, cell, width } = data;
  const count = rows * cols;
  const isTrace = data.kind === "trace";
  const root = document.documentElement;
  const byId = (name) => document.getElementById(name);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const PLACE = 80, DEAD_END = 88, UNDO = 85, DONE = 68; // the letters P, X, U, D

  // What happens

  // kinds[i], squares[i]: event i; candidates of event i: text from marks[i] to marks[i + 1].
  const text = data.events;
  let kinds, squares, marks, total;
  if (isTrace) {
    const found = [], where = [], from = [], stack = [];
    for (let i = 0; i < text.length;) {
      const kind = text.charCodeAt(i++);
      if (kind === PLACE) {
        stack.push(parseInt(text.slice(i, i + width), 36));
        i += width;
      }
      found.push(kind);
      where.push(stack[stack.length - 1]);
      from.push(i);
      if (kind === UNDO) stack.pop();
      while (i < text.length && text.charCodeAt(i) !== PLACE && text.charCodeAt(i) !== DEAD_END &&
             text.charCodeAt(i) !== UNDO && text.charCodeAt(i) !== DONE) i += width + 1;
      from[from.length - 1] = [from[from.length - 1], i];
    }
    kinds = Uint8Array.from(found);
    squares = Uint32Array.from(where);
    marks = from;
    total = kinds.length;
  } else {
    total = text.length / width;
    kinds = new Uint8Array(total).fill(PLACE);
    squares = new Uint32Array(total);
    for (let i = 0; i < total; i++) squares[i] = parseInt(text.substr(i * width, width), 36);
  }
  const longest = isTrace ? data.size : total;

  function candidatesOf(event) {
    const list = [];
    if (!isTrace) return list;
    const [from, to] = marks[event];
    for (let i = from; i < to; i += width + 1) {
      list.push([parseInt(text.slice(i, i + width), 36), parseInt(text[i + width], 36)]);
    }
    return list;
  }

  let speed = data.speed;   // events a second
  let position = 0;         // events applied
  let nodes = 0, backtracks = 0;
  const path = [];          // squares of the walk as it stands
  const stepOf = new Uint32Array(count);  // 1-based, 0: not on the path
  const undone = new Uint32Array(isTrace ? count : 0);
  let changedFrom = 0;      // the path is drawn up to here

  function push(square) {
    changedFrom = Math.min(changedFrom, path.length);
    path.push(square);
    stepOf[square] = path.length;
  }

  function pop() {
    const square = path.pop();
    stepOf[square] = 0;
    changedFrom = Math.min(changedFrom, path.length);
    return square;
  }

  function moveTo(target) {
    target = Math.max(1, Math.min(total, Math.round(target)));
    // The knight glides from square to square; a jump is a jump.
    overlay.classList.toggle("gliding", speed <= 8 && Math.abs(target - position) === 1);
    for (; position < target; position++) {
      const kind = kinds[position], square = squares[position];
      if (kind === PLACE) { push(square); nodes++; }
      else if (kind === UNDO) { pop(); backtracks++; undone[square]++; }
    }
    for (; position > target; position--) {
      const kind = kinds[position - 1], square = squares[position - 1];
      if (kind === PLACE) { pop(); nodes--; }
      else if (kind === UNDO) { push(square); backtracks--; undone[square]--; }
    }
    draw();
  }

  // Words

  let lang = data.lang;
  function say(key, values = {}) {
    return data.texts[lang][key].replace(/\{([a-z]+)\}/g, (_, name) => values[name]);
  }

  function letters(col) {
    let name = "";
    for (col += 1; col > 0; col = Math.floor((col - 1) / 26)) {
      name = String.fromCharCode(97 + (col - 1) % 26) + name;
    }
    return name;
  }
  const name = (square) =>
    letters(square % cols) + (rows - 1 - Math.floor(square / cols) + data.bottom);

  function message() {
    const kind = kinds[position - 1], square = squares[position - 1];
    const values = { name: name(square), here: name(path[path.length - 1]), step: path.length,
                     total: data.size };
    if (kind === DEAD_END) return say("on-dead-end", values);
    if (kind === UNDO) return say("on-undo", values);
    if (kind === DONE) {
      if (path.length === data.size) return say("on-found", values);
      return say(path.length === 1 ? "on-exhausted" : "on-stuck", values);
    }
    if (position === 1) return say("on-start", values);
    if (isTrace || position < total) return say("on-place", values);
    if (total < data.size) return say("on-end", values);
    return say(data.closed ? "on-closed" : "on-open", values);
  }

  // The board

  const svgNamespace = "http://www.w3.org/2000/svg";
  function element(parent, tag, attributes = {}) {
    const made = document.createElementNS(svgNamespace, tag);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    parent.appendChild(made);
    return made;
  }
  const x = (square) => (square % cols + 0.5) * cell;
  const y = (square) => (Math.floor(square / cols) + 0.5) * cell;
  const point = (square) => `${x(square)} ${y(square)}`;

  const board = byId("board"), overlay = byId("overlay");
  const longSide = Math.max(rows, cols);
  const numbered = longSide <= 20;
  document.body.classList.toggle("many-squares", longSide > 12);
  const stroke = cell * (numbered ? 0.1 : 0.16);
  overlay.style.setProperty("--stroke", stroke);
  // A mark that has to be seen on any board is never smaller than a share of the whole.
  const markSize = Math.max(cell * 0.36, data.mark);
  overlay.style.setProperty("--mark", Math.max(3, markSize * 0.2));
  // A strip would shrink to a thread: it keeps its size, and its box scrolls.
  if (data.strip && cols > rows) board.style.minWidth = `${data.strip}px`;
  if (data.strip && rows > cols) {
    board.style.maxHeight = "none";
    board.style.height = `${data.strip}px`;
  }

  const layers = {};
  for (const layer of ["tints", "pieces", "ghosts", "visits", "marks", "candidates"]) {
    layers[layer] = element(overlay, "g");
  }
  const tint = element(layers.tints, "path", { class: "tint" });
  const closing = element(layers.pieces, "path", { class: "closing" });
  const ghost = element(layers.ghosts, "path", { class: "ghost" });
  const startMark = element(layers.marks, "rect", { class: "start-mark", rx: 4 });
  const cross = element(layers.marks, "path", { class: "dead-end" });
  const knight = element(overlay, "g", { class: "knight" });
  element(knight, "circle", { class: "knight-disc", r: markSize });
  if (data.xiangqi) {
    const letter = element(knight, "text", { y: markSize * 0.42, "font-size": markSize * 1.2 });
    letter.textContent = "馬";
  } else {
    element(knight, "path", {
      class: "knight-shape",
      transform: `scale(${markSize / 50})`,
      d: "M-21 33H23V27H20C19 12 25 2 17 -13C12 -22 5 -25 -3 -26L-5 -34L-10 -26C-15 -20 -18 -12 " +
         "-24 -3C-28 3 -27 9 -22 10C-17 11 -15 6 -9 4C-4 3 0 1 3 -3C3 8 -15 12 -16 27H-21Z",
    });
  }

  // The way is cut into pieces, each of one colour; only pieces that changed are drawn again.
  const pieceLength = Math.max(1, Math.ceil(longest / 128));
  const pieces = [];
  function colour(step) {
    const share = longest > 1 ? Math.round(100 * (step - 1) / (longest - 1)) : 100;
    return `color-mix(in oklab, var(--first) ${100 - share}%, var(--latest) ${share}%)`;
  }

  function drawPieces() {
    const needed = Math.ceil((path.length - 1) / pieceLength);
    const first = Math.floor(Math.max(0, changedFrom - 1) / pieceLength);
    for (let i = first; i < Math.max(needed, pieces.length); i++) {
      if (i >= needed) {
        pieces[i].setAttribute("d", "");
        continue;
      }
      if (!pieces[i]) {
        pieces[i] = element(layers.pieces, "path", { class: "piece" });
        pieces[i].style.stroke = colour((i + 1) * pieceLength);
      }
      const part = path.slice(i * pieceLength, (i + 1) * pieceLength + 1);
      pieces[i].setAttribute("d", "M" + part.map(point).join("L"));
    }
    changedFrom = path.length;
    const closes = data.closed && path.length === data.size;
    closing.setAttribute("d", closes ? `M${point(path[path.length - 1])}L${point(path[0])}` : "");
  }

  const visits = new Map();  // square -> its disc with the number, made when first needed
  function drawVisits() {
    if (!numbered) return;
    const size = longest < 100 ? 15 : 13;
    for (let square = 0; square < count; square++) {
      const step = stepOf[square];
      let visit = visits.get(square);
      if (!visit) {
        if (!step) continue;
        const group = element(layers.visits, "g", { class: "visit" });
        const disc = element(group, "circle", { cx: x(square), cy: y(square), r: cell * 0.33 });
        const number = element(group, "text",
          { x: x(square), y: y(square) + size * 0.36, "font-size": size });
        visit = { group, disc, number, step: 0 };
        visits.set(square, visit);
      }
      if (visit.step === step) continue;
      visit.step = step;
      visit.group.setAttribute("visibility", step ? "visible" : "hidden");
      if (step) {
        visit.number.textContent = step;
        visit.disc.style.stroke = colour(step);
      }
    }
  }

  function drawSearch(here) {
    // Free squares that were taken back before: where the search has been already.
    let d = "";
    const inset = cell * 0.08, side = cell - 2 * inset;
    if (backtracks) {
      for (let square = 0; square < count; square++) {
        if (undone[square] && !stepOf[square]) {
          d += `M${x(square) - cell / 2 + inset} ${y(square) - cell / 2 + inset}` +
               `h${side}v${side}h${-side}z`;
        }
      }
    }
    tint.setAttribute("d", d);
    // The run of moves taken back just now, also while the first move after it is shown.
    let last = position - 1;
    if (last > 0 && kinds[last] === PLACE && kinds[last - 1] === UNDO) last--;
    if (last > 0 && kinds[last] === DEAD_END && kinds[last - 1] === UNDO) last--;
    const run = [];
    for (let i = last; i >= 0 && run.length < 400; i--) {
      if (kinds[i] === UNDO) run.push(squares[i]);
      else if (kinds[i] !== DEAD_END) break;
    }
    const base = kinds[position - 1] === PLACE && run.length ? path[path.length - 2] : here;
    ghost.setAttribute("d", run.length ? `M${[base, ...run].map(point).join("L")}` : "");
    const list = candidatesOf(position - 1);
    // The dead end that the run came from; in a corner where a candidate has the place.
    const dead = run[run.length - 1];
    cross.setAttribute("d", "");
    if (dead !== undefined) {
      const beside = list.some(([square]) => square === dead) ? cell * 0.34 : 0;
      const arm = beside ? cell * 0.1 : markSize * 0.62;
      cross.setAttribute("d", `M${x(dead) + beside - arm} ${y(dead) - beside - arm}` +
        `l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`);
    }
    const isDead = kinds[position - 1] === DEAD_END;
    const stopped = kinds[position - 1] === DONE && path.length < data.size;
    overlay.classList.toggle("is-stuck", isDead || stopped);

    layers.candidates.replaceChildren();
    const next = position < total && kinds[position] === PLACE ? squares[position] : -1;
    for (const [square, degree] of list) {
      const chosen = square === next ? " chosen" : "";
      element(layers.candidates, "circle",
        { class: `candidate${chosen}`, cx: x(square), cy: y(square), r: markSize * 0.86 });
      if (!data.ranked) continue;
      const number = element(layers.candidates, "text", {
        class: "candidate-degree", x: x(square), y: y(square) + markSize * 0.4,
        "font-size": markSize * 1.1,
      });
      number.textContent = degree;
    }
    byId("candidates").textContent =
      list.map(([square, degree]) => data.ranked ? `${name(square)} (${degree})` : name(square)).join(", ") || say("none");
    byId("value-event").textContent = say("of", { number: position, total });
    byId("value-nodes").textContent = nodes;
    byId("value-backtracks").textContent = backtracks;
  }

  const scrub = byId("scrub");
  function draw() {
    const here = path[path.length - 1];
    drawPieces();
    drawVisits();
    if (isTrace) drawSearch(here);
    const half = Math.max(cell * 0.44, markSize);
    for (const [key, value] of [["x", x(path[0]) - half], ["y", y(path[0]) - half],
                                ["width", 2 * half], ["height", 2 * half]]) {
      startMark.setAttribute(key, value);
    }
    knight.style.transform = `translate(${x(here)}px, ${y(here)}px)`;
    const values = { step: path.length, total: longest, name: name(here), rows, cols };
    byId("value-square").textContent = values.name;
    byId("value-step").textContent = say("of", { number: path.length, total: longest });
    byId("last-squares").textContent = path.slice(-6).map(name).join(" → ");
    byId("message").textContent = message();
    scrub.value = position;
    scrub.setAttribute("aria-valuetext", say("said", values));
    byId("board-text").textContent = say("board-text", { ...values, total: data.size });
  }

  // A screen reader is told after every action of its user, and now and then while playing.
  let spokenAt = 0;
  function speak() {
    const here = path[path.length - 1];
    const said = say("said", { step: path.length, total: longest, name: name(here) });
    byId("live").textContent = `${said} ${message()}`;
    spokenAt = performance.now();
  }

  // Playing

  let playing = false, before = 0, owed = 0;
  function frame(now) {
    if (!playing) return;
    // A hidden page gets no frames; it goes on where it was instead of jumping.
    owed += Math.min(now - before, 250) * speed / 1000;
    before = now;
    const due = Math.floor(owed);
    if (due) {
      owed -= due;
      moveTo(position + due);
      if (position === total) return pause();
      if (now - spokenAt > 4000) speak();
    }
    requestAnimationFrame(frame);
  }

  function showPlaying() {
    document.body.classList.toggle("playing", playing);
    byId("play").setAttribute("aria-label", say(playing ? "pause" : "play"));
    byId("play").title = say(playing ? "pause" : "play");
  }

  function play() {
    if (position === total) moveTo(1);
    playing = true;
    owed = 0;
    before = spokenAt = performance.now();
    showPlaying();
    requestAnimationFrame(frame);
  }

  function pause() {
    playing = false;
    showPlaying();
    speak();
  }

  function go(target) {
    playing = false;
    showPlaying();
    moveTo(target);
    speak();
  }

  const actions = {
    "first": () => go(1),
    "step-back": () => go(position - 1),
    "play": () => (playing ? pause() : play()),
    "step-forward": () => go(position + 1),
    "last": () => go(total),
  };
  for (const key in actions) byId(key).addEventListener("click", actions[key]);
  scrub.addEventListener("input", () => go(Number(scrub.value)));

  const keys = { " ": "play", "ArrowRight": "step-forward", "ArrowLeft": "step-back",
                 "Home": "first", "End": "last" };
  document.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
    // A focused control keeps the keys that are its own.
    const tag = event.target.tagName;
    if (event.target.id === "speed" && event.key !== " ") return;
    if (event.key === " " && (tag === "BUTTON" || tag === "SUMMARY")) return;
    event.preventDefault();
    actions[action]();
  });

  const slider = byId("speed"), [slowest, fastest] = data.speeds;
  function showSpeed() {
    const shown = speed < 10 ? Math.round(speed * 10) / 10 : Math.round(speed);
    byId("speed-text").textContent = say("per-second", { speed: shown });
    slider.setAttribute("aria-valuetext", say("per-second", { speed: shown }));
  }
  slider.value = 100 * Math.log(speed / slowest) / Math.log(fastest / slowest);
  slider.addEventListener("input", () => {
    speed = slowest * (fastest / slowest) ** (slider.value / 100);
    showSpeed();
  });

  // A click goes to the next time that the knight comes to the square, or else to the first.
  board.addEventListener("click", (event) => {
    const place = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(overlay.getScreenCTM().inverse());
    const row = Math.floor(place.y / cell), col = Math.floor(place.x / cell);
    if (row < 0 || col < 0 || row >= rows || col >= cols) return;
    const square = row * cols + col;
    for (let i = 0; i < total; i++) {
      const k = (position + i) % total;
      if (kinds[k] === PLACE && squares[k] === square) return go(k + 1);
    }
  });

  function showLanguage() {
    root.lang = say("tag");
    document.title = document.querySelector("h1").textContent = data.titles[lang];
    byId("board-title").textContent = data.titles[lang];
    for (const item of document.querySelectorAll("[data-text]")) {
      item.textContent = say(item.dataset.text);
    }
    for (const key in actions) {
      byId(key).setAttribute("aria-label", say(key));
      byId(key).title = say(key);
    }
    byId("controls").setAttribute("aria-label", say("controls"));
    scrub.setAttribute("aria-label", say("scrub"));
    byId("language").textContent = say("other-language");
    byId("language").lang = say("other-tag");
    showSpeed();
    showPlaying();
    draw();
  }
  byId("language").addEventListener("click", () => {
    lang = lang === "en" ? "zh" : "en";
    showLanguage();
  });

  if (root.dataset.theme === "auto") {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const follow = () => { root.dataset.theme = dark.matches ? "dark" : "light"; };
    follow();
    dark.addEventListener("change", follow);
  }

  moveTo(1);
  showLanguage();
  if (data.autoplay && total > 1 && !calm.matches) play();
})();
