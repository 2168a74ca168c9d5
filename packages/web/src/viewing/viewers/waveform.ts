// The waveform of an audio file: the loudness of each of many pieces, from 0 to 1.

/** Larger or longer audio has no waveform, because all of it must be decoded at once. */
const largest = 20 * 1024 * 1024
const longestSeconds = 1200
const pieces = 240
/** The sample rate in Hz; sufficient for a picture. */
const rate = 8000

/** Reads the audio; undefined if decoding would be too expensive. */
export async function readWaveform(
  url: string,
  size: number,
  signal: AbortSignal,
): Promise<readonly number[] | undefined> {
  if (size > largest || !('OfflineAudioContext' in window)) return undefined
  const response = await fetch(url, { signal })
  if (!response.ok) return undefined
  const packed = await response.arrayBuffer()
  signal.throwIfAborted()
  const sound = await new OfflineAudioContext(1, rate, rate).decodeAudioData(packed)
  return sound.duration > longestSeconds ? undefined : peaksOf(sound.getChannelData(0))
}

/** The peak of each piece, normalized to a maximum of 1. */
export function peaksOf(samples: ArrayLike<number>, count = pieces): number[] {
  const peaks = Array.from({ length: count }, (_, n) => {
    let peak = 0
    const end = Math.floor(((n + 1) * samples.length) / count)
    for (let at = Math.floor((n * samples.length) / count); at < end; at += 1)
      peak = Math.max(peak, Math.abs(samples[at] ?? 0))
    return peak
  })
  const loudest = Math.max(...peaks)
  return loudest === 0 ? peaks : peaks.map((peak) => peak / loudest)
}

/** The SVG path: one bar per piece, centered in a drawing of height 2 and a width of the number of pieces. */
export function waveformPath(peaks: readonly number[]): string {
  return peaks
    .map((peak, n) => {
      const half = Math.max(0.02, peak)
      return `M${n + 0.2} ${(1 - half).toFixed(3)}h0.6v${(2 * half).toFixed(3)}h-0.6z`
    })
    .join('')
}
