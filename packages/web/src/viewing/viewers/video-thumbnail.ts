// The thumbnail of a video. The server cannot create it, so the first permitted user who plays the video uploads a
// frame.
import { api } from '../../core/call/api.ts'
import { notifyThumbnailReady } from '../../items/item/thumbnail-updates.ts'

/** The maximum length of the longer side, as lists show it. */
const longest = 480
/** Videos often start with a black frame. */
const beginsAt = 1
const given = new Set<string>()

/** Whether a video has been played up to a visible frame. */
export function hasPlayedPastStart({ currentTime, duration, videoWidth }: HTMLVideoElement): boolean {
  return videoWidth > 0 && currentTime >= Math.min(beginsAt, Number.isFinite(duration) ? duration / 10 : beginsAt)
}

/** Uploads the current frame once. Errors are ignored, because they do not concern the viewer. */
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
/** 0 if the duration is unknown. */
function lengthOf({ duration }: HTMLVideoElement): number {
  return Number.isFinite(duration) ? Math.min(longestMs, Math.round(duration * 1000)) : 0
}

/** As a base64 JPEG. */
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
