// The small picture of a film, which nothing on the server draws: whoever may is the first to show it gives the frame they see.
import { api } from '../../core/call/api.ts'
import { notifyThumbnailReady } from '../../items/item/thumbnail-updates.ts'

/** The longer side of what is given, as the lists show it at most. */
const longest = 480
/** Films often begin in the dark. */
const beginsAt = 1
const given = new Set<string>()

/** Whether a film has been played as far as there is something to be seen. */
export function hasPlayedPastStart({ currentTime, duration, videoWidth }: HTMLVideoElement): boolean {
  return videoWidth > 0 && currentTime >= Math.min(beginsAt, Number.isFinite(duration) ? duration / 10 : beginsAt)
}

/** Gives the frame that stands there now, once. That it does not come to anything is nothing to who looks at a film. */
export async function uploadVideoThumbnail(fileId: number, previewKey: string, film: HTMLVideoElement): Promise<void> {
  if (given.has(previewKey)) return
  given.add(previewKey)
  const picture = frameOf(film)
  if (picture === undefined) return
  const answer = await api
    .givePreviewPicture({ previewKey, picture, lengthMs: lengthOf(film) }, { quiet: true })
    .catch(() => undefined)
  if (answer?.isTaken === true) notifyThumbnailReady(fileId)
}

const longestMs = 24 * 60 * 60_000
/** 0 where nobody knows when it ends. */
function lengthOf({ duration }: HTMLVideoElement): number {
  return Number.isFinite(duration) ? Math.min(longestMs, Math.round(duration * 1000)) : 0
}

/** As base64 of a jpg. */
function frameOf(film: HTMLVideoElement): string | undefined {
  const scale = Math.min(1, longest / Math.max(film.videoWidth, film.videoHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(film.videoWidth * scale))
  canvas.height = Math.max(1, Math.round(film.videoHeight * scale))
  const pen = canvas.getContext('2d')
  if (pen === null) return undefined
  pen.drawImage(film, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/jpeg', 0.8).split(',')[1]
}
