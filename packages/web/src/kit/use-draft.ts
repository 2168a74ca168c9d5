// The edits of a form over the values that the server answered last.
import { useState } from 'react'

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The fields of `after` that differ from those of `before`. */
export function changedFields<I extends object>(before: I, after: I): Partial<I> {
  const last = before as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(last[name], value))) as Partial<I>
}

export interface Draft<T, I> {
  /** The values to show: the edits, over the saved values. */
  readonly values: T
  /** The changed fields in the form that the call takes. */
  readonly changes: Partial<I>
  /** Changes after each discard and each save. Use it as the key of a field that holds typed text of its own. */
  readonly revision: number
  readonly edit: (part: Partial<T>) => void
  readonly discard: () => void
  /**
   * Ends the edits that were just saved. Call it when `saved` has been loaded again. An edit that the user made while
   * the values were being saved remains.
   */
  readonly settle: (sent: T) => void
}

/**
 * The edits of a form. Only edited fields are held, so every other field follows `saved`, which is always what the
 * server answered. Fields are compared in the form that is sent, not as they are shown.
 */
export function useDraft<T extends object, I extends object>(saved: T, toInput: (values: T) => I): Draft<T, I> {
  const [edits, setEdits] = useState<Partial<T>>({})
  const [revision, setRevision] = useState(0)
  const values = { ...saved, ...edits }
  return {
    values,
    changes: changedFields(toInput(saved), toInput(values)),
    revision,
    edit: (part) => setEdits((now) => ({ ...now, ...part })),
    discard: () => {
      setEdits({})
      setRevision((n) => n + 1)
    },
    settle: (sent) => {
      setEdits((now) => changedFields(sent, { ...sent, ...now }))
      setRevision((n) => n + 1)
    },
  }
}
