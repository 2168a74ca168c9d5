// Colours of office documents: theme colours, tints and shades.

import { at, child, children, type Element, numberAt } from './elements.ts'
import { colorOf } from './measures.ts'

/** Returns the colours of a theme by name: dk1, lt1, accent1 and so on. */
export function themeColors(theme: Element | undefined): ReadonlyMap<string, string> {
  return new Map(
    children(at(theme, 'a:themeElements', 'a:clrScheme')).flatMap((one) => {
      const value = child(one)
      const color = colorOf(value?.attributes['lastClr'] ?? value?.attributes['val'])
      return color === undefined ? [] : [[one.name.replace('a:', ''), color] as const]
    }),
  )
}

/** Returns the colours with the names that a colour map gives them: tx1, bg1 and so on. */
export function mappedColors(
  theme: ReadonlyMap<string, string>,
  map: Element | undefined,
): ReadonlyMap<string, string> {
  if (map === undefined) return theme
  const named = Object.entries(map.attributes).flatMap(([name, from]) => {
    const color = theme.get(from)
    return color === undefined ? [] : [[name, color] as const]
  })
  // Accents may be exchanged, so they are looked up before any of them is set.
  return new Map([...theme, ...named])
}

type Hsl = [hue: number, saturation: number, lightness: number]

function toHsl(color: string): Hsl {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((n) => Number.parseInt(color.slice(n, n + 2), 16) / 255)
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)]
  const [span, lightness] = [most - least, (most + least) / 2]
  if (span === 0) return [0, 0, lightness]
  const saturation = span / (1 - Math.abs(2 * lightness - 1))
  const hue = most === r ? ((g - b) / span + 6) % 6 : most === g ? (b - r) / span + 2 : (r - g) / span + 4
  return [hue, saturation, lightness]
}

function fromHsl([hue, saturation, lightness]: Hsl): string {
  const chroma = (1 - Math.abs(2 * lightness - 1)) * saturation
  const x = chroma * (1 - Math.abs((hue % 2) - 1))
  const low = lightness - chroma / 2
  const sixths: [number, number, number][] = [
    [chroma, x, 0],
    [x, chroma, 0],
    [0, chroma, x],
    [0, x, chroma],
    [x, 0, chroma],
    [chroma, 0, x],
  ]
  const parts = sixths[Math.floor(hue) % 6] ?? [0, 0, 0]
  const byte = (one: number): string =>
    Math.round(Math.max(0, Math.min(1, one + low)) * 255)
      .toString(16)
      .padStart(2, '0')
  return `#${parts.map(byte).join('')}`
}

/** Applies a tint to a colour as spreadsheets do: lighter (above 0) or darker. */
export function tinted(color: string, tint: number): string {
  if (tint === 0) return color
  const [hue, saturation, lightness] = toHsl(color)
  return fromHsl([hue, saturation, tint < 0 ? lightness * (1 + tint) : lightness * (1 - tint) + tint])
}

const aliases: Readonly<Record<string, string>> = { tx1: 'dk1', tx2: 'dk2', bg1: 'lt1', bg2: 'lt2', phClr: 'accent1' }
const names: Readonly<Record<string, string>> = { white: '#ffffff', black: '#000000', red: '#ff0000', blue: '#0000ff' }

/** Returns the colour of a drawing element (a:srgbClr, a:schemeClr and so on) with its modifiers applied. */
export function drawnColor(holder: Element | undefined, theme: ReadonlyMap<string, string>): string | undefined {
  const one = children(holder).find(({ name }) => /^a:(srgb|scheme|sys|prst)Clr$/.test(name))
  const value = one?.attributes['lastClr'] ?? one?.attributes['val'] ?? ''
  const base =
    one?.name === 'a:schemeClr'
      ? (theme.get(value) ?? theme.get(aliases[value] ?? ''))
      : (colorOf(value) ?? names[value])
  if (base === undefined) return undefined
  const [hue, ...rest] = toHsl(base)
  let [saturation, lightness] = rest
  for (const change of children(one)) {
    const factor = (numberAt(change, 'val') ?? 100_000) / 100_000
    if (change.name === 'a:lumMod' || change.name === 'a:shade') lightness *= factor
    else if (change.name === 'a:lumOff') lightness += factor
    else if (change.name === 'a:tint') lightness = lightness * factor + (1 - factor)
    else if (change.name === 'a:satMod') saturation = Math.min(1, saturation * factor)
  }
  lightness = Math.max(0, Math.min(1, lightness))
  return fromHsl([hue, saturation, lightness])
}
