/** The way of a running animal: out through the gate, round, and home to the taker. Pure geometry. */

import type { Place } from "./flight";

export interface Point {
  x: number;
  y: number;
}

/** A moment of a run: where, which way it looks (1 right, -1 left), how far it leans, and how near it is. */
export interface Stride extends Point {
  looks: 1 | -1;
  leans: number;
  size: number;
}

const STEPS = 20;

/** The strides from a stall through the gate to a seat, evenly spread over the time of the run. */
export function strides(stall: Place, gate: Place, seat: Point): Stride[] {
  const unit = gate.width / 105;
  const away = seat.y > stall.y ? 1 : -1;
  const corner = { x: gate.x - Math.sign(gate.x - seat.x || 1) * 170 * unit, y: stall.y + away * 90 * unit };
  const out: Point[] = [
    stall,
    { x: gate.x + 60 * unit, y: stall.y - 6 * unit },
    { x: gate.x + 90 * unit, y: stall.y + away * 95 * unit },
    corner,
  ];
  const back = Math.sign(corner.x - seat.x || 1);
  const home: Point[] = [
    corner,
    { x: corner.x - back * 250 * unit, y: stall.y + away * 86 * unit },
    { x: seat.x + back * 240 * unit, y: seat.y + 30 * unit },
    seat,
  ];
  const first = length(out);
  const share = first / (first + length(home));
  const points = Array.from({ length: STEPS + 1 }, (_, step) => {
    const time = step / STEPS;
    return time < share ? bezier(out, time / share) : bezier(home, (time - share) / (1 - share));
  });
  return points.map((point, step) => stride(points, step, point));
}

function stride(points: readonly Point[], step: number, point: Point): Stride {
  const time = step / STEPS;
  const before = points[Math.max(0, step - 1)]!;
  const after = points[Math.min(STEPS, step + 1)]!;
  const across = after.x - before.x;
  const looks = across < 0 ? -1 : 1;
  const slope = (Math.atan2(after.y - before.y, Math.abs(across)) * 180) / Math.PI;
  const leans = Math.max(-24, Math.min(24, slope)) * looks;
  const far = 1 - 0.5 * Math.max(0, (time - 0.55) / 0.45);
  const gone = time > 0.94 ? Math.max(0.12, (1 - time) / 0.06) : 1;
  return { ...point, looks, leans, size: far * gone };
}

function bezier([a, b, c, d]: readonly Point[], time: number): Point {
  const rest = 1 - time;
  const [p, q, r, s] = [rest ** 3, 3 * rest ** 2 * time, 3 * rest * time ** 2, time ** 3];
  return { x: p * a!.x + q * b!.x + r * c!.x + s * d!.x, y: p * a!.y + q * b!.y + r * c!.y + s * d!.y };
}

function length(curve: readonly Point[]): number {
  let sum = 0;
  let last = curve[0]!;
  for (let step = 1; step <= 8; step += 1) {
    const next = bezier(curve, step / 8);
    sum += Math.hypot(next.x - last.x, next.y - last.y);
    last = next;
  }
  return Math.max(1, sum);
}
