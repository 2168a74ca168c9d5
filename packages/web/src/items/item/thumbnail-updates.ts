// Notifies the lists of this page that a file now has a thumbnail, after an earlier request found none.
const listeners = new Set<(fileId: number) => void>()

export function onThumbnailReady(listener: (fileId: number) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function notifyThumbnailReady(fileId: number): void {
  for (const listener of listeners) listener(fileId)
}
