/** The result as a picture to be shown around: drawn on a canvas, from the same sheet and the same inks as the page. */

import { colourOf, animalOf } from "./seats";

export interface Placed {
  seat: number;
  rank: string;
  name: string;
  score: string;
}

const WIDTH = 1200;
const HEIGHT = 630;
const MOST = 5;

function inkOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A picture of the sheet as an image, with its inks written out. */
async function art(id: string): Promise<HTMLImageElement> {
  const symbol = document.getElementById(id);
  const inks: Record<string, string> = { "--cut": inkOf("--cutp") };
  const body = (symbol?.innerHTML ?? "")
    .replaceAll("currentColor", inkOf("--k"))
    .replace(/var\((--[\w-]+)[^)]*\)/g, (_, name: string) => inks[name] ?? inkOf(name));
  const box = symbol?.getAttribute("viewBox") ?? "0 0 100 100";
  const [, , width, height] = box.split(" ");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="${Number(width) * 4}" height="${Number(height) * 4}">${body}</svg>`;
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}

/** Draw the headline and the first places; the promise is kept once the type is there. */
export async function poster(headline: string, game: string, places: readonly Placed[]): Promise<Blob> {
  await Promise.all([document.fonts.load('60px "Alfa Slab One"'), document.fonts.load('700 30px "Bitter"')]);
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const ink = canvas.getContext("2d")!;
  ink.drawImage(await art("land"), 0, -10, WIDTH, HEIGHT + 20);
  ink.fillStyle = inkOf("--ink");
  fitted(ink, headline, 56, 108, 76, 760);
  ink.font = '700 32px "Bitter"';
  ink.fillText(`bullpen · ${game}`, 60, 158);
  for (const [line, place] of places.slice(0, MOST).entries()) await row(ink, place, 196 + line * 78);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}

/** Write something as large as it fits. */
function fitted(
  ink: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  size: number,
  most: number,
): void {
  ink.font = `${size}px "Alfa Slab One"`;
  const wide = ink.measureText(text).width;
  if (wide > most) ink.font = `${Math.floor((size * most) / wide)}px "Alfa Slab One"`;
  ink.fillText(text, x, y);
}

async function row(ink: CanvasRenderingContext2D, place: Placed, y: number): Promise<void> {
  ink.fillStyle = inkOf("--paper");
  ink.strokeStyle = inkOf("--line");
  ink.lineWidth = 4;
  ink.beginPath();
  ink.roundRect(56, y, 560, 66, 7);
  ink.fill();
  ink.stroke();
  ink.beginPath();
  ink.arc(152, y + 33, 28, 0, 2 * Math.PI);
  ink.fillStyle = inkOf(`--seat${colourOf(place.seat)}`);
  ink.fill();
  ink.stroke();
  ink.drawImage(await art(`a-${animalOf(place.seat)}`), 131, y + 11, 42, 44);
  ink.fillStyle = inkOf("--ink");
  ink.font = '40px "Alfa Slab One"';
  ink.fillText(place.rank, 76, y + 48);
  ink.textAlign = "right";
  ink.fillText(place.score, 598, y + 48);
  ink.textAlign = "left";
  ink.font = '700 30px "Bitter"';
  ink.fillText(place.name, 196, y + 44, 300);
}

/** Hand the picture to the phone's share sheet, or save it where there is none. */
export async function give(picture: Blob, text: string): Promise<void> {
  const file = new File([picture], "bullpen.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file], text });
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(picture);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
