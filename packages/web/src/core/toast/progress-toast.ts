// Shows a progress toast for slow work. On a slow server nothing else shows that a key or click was accepted.
import { dismissToastOf, toast } from './toast.ts'

/** Work that takes longer than this is shown. */
const toastAfterMs = 400
const longest = 10 * 60_000

/** Shows the text while the work runs. Works with the same key share one toast. */
export async function withProgressToast<T>(key: string, text: string, work: Promise<T>): Promise<T> {
  const said = setTimeout(() => toast({ key, text, durationMs: longest }), toastAfterMs)
  try {
    return await work
  } finally {
    clearTimeout(said)
    dismissToastOf(key)
  }
}
