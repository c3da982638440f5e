() => {
  const faults = [];
  const wide = innerWidth, high = innerHeight;
  const box = (node) => node.getBoundingClientRect();
  const shown = (node) => { const { width, height } = box(node); return width > 0 && height > 0 && node.checkVisibility({ visibilityProperty: true }); };
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const inside = (rect, by = 1.5) => rect.left >= -by && rect.top >= -by && rect.right <= wide + by && rect.bottom <= high + by;
  const root = document.documentElement;
  if (root.scrollHeight > high + 1 || root.scrollWidth > wide + 1) faults.push(`the page scrolls (${root.scrollWidth}x${root.scrollHeight})`);

  const hand = all('.hand [data-card]');
  for (const card of hand) {
    const rect = box(card);
    if (!inside(rect, 2)) faults.push(`hand card ${card.dataset.card} is cut`);
    if (rect.width < 39.4) faults.push(`hand card ${card.dataset.card} is ${rect.width.toFixed(1)} wide`);
  }
  const tops = [...new Set(hand.map((card) => Math.round(box(card.closest('li')).top)))].sort((a, b) => a - b);
  for (let line = 1; line < tops.length; line += 1) {
    const shows = tops[line] - tops[line - 1];
    const whole = box(hand[0]).height;
    if (shows < whole * 0.55 || shows < 30) faults.push(`a line of the hand shows ${shows} of ${whole.toFixed(0)}`);
  }
  for (const special of all('.hand [data-special]')) {
    if (!inside(box(special), 4)) faults.push(`special ${special.dataset.special} is cut`);
    if (box(special).width < 39) faults.push(`special ${special.dataset.special} is ${box(special).width.toFixed(1)} wide`);
  }

  const clipped = (node) => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 2;
  const prompt = document.querySelector('#prompt');
  if (!prompt || !shown(prompt)) faults.push('no question');
  else {
    if (!inside(box(prompt))) faults.push('the question is cut');
    if (clipped(prompt)) faults.push('the question is longer than its place');
    const ask = box(document.querySelector('.ask'));
    for (const part of [prompt, ...all('.actions .button')]) {
      const rect = box(part);
      if (rect.top < ask.top - 2 || rect.bottom > ask.bottom + 2) faults.push(`${part.id || part.innerText.slice(0, 20)} leaves its place by ${Math.max(ask.top - rect.top, rect.bottom - ask.bottom).toFixed(0)}`);
    }
  }
  for (const button of all('.actions .button')) {
    if (!inside(box(button))) faults.push(`button "${button.innerText}" is cut`);
    if (clipped(button)) faults.push(`button "${button.innerText}" is too long`);
  }
  for (const seat of all('.seat')) {
    if (!inside(box(seat), 3)) faults.push(`seat ${seat.dataset.seat} is cut`);
    const sign = seat.querySelector('.state'), plaque = seat.querySelector('.plaque');
    if (sign && shown(sign) && (!inside(box(sign)) || box(sign).bottom < box(plaque).top)) faults.push(`the sign of seat ${seat.dataset.seat} is cut or lies beside its plaque`);
    const name = seat.querySelector('.name');
    if (name && name.textContent.replace('\u00ad', '').trim().length <= 12 && clipped(name)) faults.push(`name ${name.textContent} is cut`);
    for (const part of seat.querySelectorAll('.numbers, .plaque')) if (shown(part) && part.scrollWidth > part.clientWidth + 1) faults.push(`seat ${seat.dataset.seat}: ${part.className.split(' ')[0]} is too wide`);
  }
  for (const title of all('.felt:not(.low) :is(.title h1, .title span)')) if (clipped(title) || !inside(box(title), 3)) faults.push(`title "${title.textContent.trim()}" is cut`);

  const mid = document.querySelector('.mid');
  const around = mid && box(mid);
  const frame = document.querySelector('.frame');
  if (!frame) for (const pen of all('.pen')) {
    const rect = box(pen);
    if (!inside(rect, 4) || rect.bottom > around.bottom + 4 || rect.top < around.top - 4 || rect.right > around.right + 4) faults.push(`pen ${pen.dataset.row} leaves the middle`);
  }
  else {
    const rect = box(frame);
    if (!inside(rect, 4) || rect.bottom > around.bottom + 4) faults.push('the board leaves the middle');
    const scrolls = frame.scrollWidth > frame.clientWidth + 1, end = Math.max(...all('.line').map((line) => box(line).right));
    if (scrolls && end < rect.right - 1) faults.push('what is beside the rows makes the board scroll');
    for (const says of all('.line .says')) if (box(says).right > Math.max(end, rect.right) + 1) faults.push(`"${says.textContent.trim()}" leaves the board`);
  }
  for (const part of all('.trail, .ruler, .lane')) {
    const rect = box(part);
    if (!inside(rect, 12) || rect.right > around.right + 8 || rect.bottom > around.bottom + 8) faults.push(`${part.getAttribute('class').split(' ')[0]} leaves the middle`);
  }
  for (const place of all('[data-lane]')) if (!inside(box(place), 2)) faults.push(`lane place ${place.dataset.lane} is cut`);
  const picked = all('.display-box li');
  const display = document.querySelector('.display-box');
  const scrollsDown = display && display.scrollHeight > display.clientHeight + 1;
  if (scrollsDown && getComputedStyle(display).overflowY !== 'auto') faults.push('the display is cut');
  for (const place of picked) if ((!scrollsDown && !inside(box(place), 2)) || box(place).left < around.left - 1 || box(place).right > around.right + 1 || (!scrollsDown && box(place).bottom > around.bottom + 3)) { faults.push('the display is cut'); break; }
  if (picked.length && box(picked[0]).width < 39.4) faults.push(`display cards are ${box(picked[0]).width.toFixed(0)} wide`);
  const under = picked.find((place) => box(place).left === box(picked[0])?.left && place !== picked[0]);
  if (under && box(under).top - box(picked[0]).top < 28) faults.push(`${(box(under).top - box(picked[0]).top).toFixed(0)} of a display card shows`);
  const rows = document.querySelector('.rows, .board-column'), lane = document.querySelector('.lane');
  if (rows && lane && shown(lane)) {
    const a = box(rows), b = box(lane);
    if (a.left < b.right - 3 && b.left < a.right - 3 && a.top < b.bottom - 3 && b.top < a.bottom - 3) faults.push('lane and rows overlap');
  }
  for (const text of all('.felt :is(.name, .words, .button, .more, .flag, .tab, .title span, .says)')) {
    if (parseFloat(getComputedStyle(text).fontSize) < 11.9) faults.push(`small text "${text.textContent.trim().slice(0, 12)}"`);
  }
  const first = document.querySelector('.hand .cards');
  const place = first ? [box(first).left, box(first).top, box(first).width].map((n) => Math.round(n * 2) / 2) : [];
  const cards = Math.round(hand[0] ? box(hand[0]).width : 0);
  const pen = Math.round((all('.pen .stall')[0] ?? all('.cell')[0]) ? box(all('.pen .stall')[0] ?? all('.cell')[0]).width : 0);
  return { faults, place, cards, pen };
}
