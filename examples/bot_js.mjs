// A bot in JavaScript for `bullpen arena match base "cmd:node examples/bot_js.mjs" easy`.
//
// It reads one question a line (JSON) and answers with one line (a choice in notation). It plays its
// lowest card, and takes the cheapest row when it has to take one; of all else it takes the first option.

import { createInterface } from "node:readline";

const heads = (card) =>
  card === 55 ? 7 : card % 11 === 0 ? 5 : card % 10 === 0 ? 3 : card % 5 === 0 ? 2 : 1;

const cost = (row) => row.reduce((sum, card) => sum + heads(card), 0);

const least = (options, value) =>
  options.reduce((best, option) => (value(option) < value(best) ? option : best));

function choose(view, ask) {
  if (ask.kind === "choose_row") {
    return least(ask.options, (option) => cost(view.position.rows[Number(option.slice(1)) - 1]));
  }
  if (ask.kind === "commit" && ask.options.every((option) => /^\d+$/.test(option))) {
    return least(ask.options, Number);
  }
  return ask.options[0];
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { view, ask } = JSON.parse(line);
  console.log(choose(view, ask));
});
