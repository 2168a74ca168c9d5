// Notifies waiters in this process about new pages of a running conversion. Its end is reported by the queue.
import { EventEmitter, once } from 'node:events'

export interface PieceNotifier {
  notify(of: Of): void
  /** Resolves with the next batch of pages; rejects when the signal aborts. */
  next(of: Of, signal: AbortSignal): Promise<unknown>
}

interface Of {
  readonly blobId: number
  readonly kind: string
}

export function createPieceNotifier(): PieceNotifier {
  const pieces = new EventEmitter().setMaxListeners(0)
  const nameOf = ({ blobId, kind }: Of): string => `${blobId} ${kind}`
  return {
    notify: (of) => void pieces.emit(nameOf(of)),
    next: (of, signal) => once(pieces, nameOf(of), { signal }),
  }
}
