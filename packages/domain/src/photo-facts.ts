// Camera metadata (Exif) of photos, reduced to the few facts that are displayed.

/** Displayed facts of a photo; the location is deliberately left out. */
export interface PhotoFacts {
  readonly camera?: string
  readonly lens?: string
  /** Local camera time without time zone: `2026-11-20 09:30`. */
  readonly taken?: string
  /** Seconds. */
  readonly exposure?: number
  readonly aperture?: number
  readonly iso?: number
  /** Millimetres. */
  readonly focal?: number
}

/** The tags that are used; parsers can skip all others. */
export const photoTags = [
  'Make',
  'Model',
  'LensModel',
  'DateTimeOriginal',
  'ExposureTime',
  'FNumber',
  'ISO',
  'FocalLength',
] as const

const longest = 80

/** Extracts the facts from the tags of an image; undefined if there are none. Tag values are untrusted. */
export function photoFacts(tags: Readonly<Record<string, unknown>> | undefined): PhotoFacts | undefined {
  if (tags === undefined) return undefined
  const text = (tag: (typeof photoTags)[number]): string | undefined => {
    const value = tags[tag]
    // Cameras pad unused space.
    const told = typeof value === 'string' ? value.replace(/[\p{Cc}\s]+/gu, ' ').trim() : ''
    return told === '' ? undefined : told.slice(0, longest)
  }
  const number = (tag: (typeof photoTags)[number]): number | undefined => {
    const value = tags[tag]
    return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined
  }
  const [make, model] = [text('Make'), text('Model')]
  const camera =
    make === undefined || model === undefined || model.toLowerCase().startsWith(make.toLowerCase())
      ? (model ?? make)
      : `${make} ${model}`
  const [, year, month, day, hour, minute] =
    /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d)/.exec(text('DateTimeOriginal') ?? '') ?? []
  const found = {
    camera,
    lens: text('LensModel'),
    taken: year === undefined || year === '0000' ? undefined : `${year}-${month}-${day} ${hour}:${minute}`,
    exposure: number('ExposureTime'),
    aperture: number('FNumber'),
    iso: number('ISO'),
    focal: number('FocalLength'),
  }
  const told = Object.entries(found).filter(([, value]) => value !== undefined)
  return told.length === 0 ? undefined : (Object.fromEntries(told) as PhotoFacts)
}

/** Formats the exposure time as cameras do: `1/125 s`, `2 s`. */
export function exposureText(seconds: number): string {
  return seconds < 0.4 ? `1/${Math.round(1 / seconds)}\u00a0s` : `${Number(seconds.toFixed(1))}\u00a0s`
}
