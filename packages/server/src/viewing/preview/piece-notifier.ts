// Whoever waits for something that is being made in this process hears of its pieces; of its end the queue tells.
import { EventEmitter, once } from 'node:events'

export interface PieceNotifier {
  notify(of: Of): void
  /** Resolves with the next piece; rejects with the signal. */
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
