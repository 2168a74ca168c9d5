// The wave of a sound: how loud it is in each of many pieces, from 0 to 1.

/** Larger and longer sounds are played without a wave: all of one is unpacked at once. */
const largest = 20 * 1024 * 1024
const longestSeconds = 1200
const pieces = 240
/** Samples a second that are enough for a picture. */
const rate = 8000

/** Reads the sound; undefined where that would take too much. */
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

/** The loudest of each piece; the loudest of all is 1. */
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

/** One bar for each piece around the middle of a drawing that is two high and as wide as there are pieces. */
export function waveformPath(peaks: readonly number[]): string {
  return peaks
    .map((peak, n) => {
      const half = Math.max(0.02, peak)
      return `M${n + 0.2} ${(1 - half).toFixed(3)}h0.6v${(2 * half).toFixed(3)}h-0.6z`
    })
    .join('')
}
