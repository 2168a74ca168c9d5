// What takes a while is said to be on its way: on a slow server nothing else shows yet that a key or a click was taken.
import { dismissToastOf, toast } from './toast.ts'

/** What takes longer than that is said. */
const toastAfterMs = 400
const longest = 10 * 60_000

/** Says this for as long as the work goes on; works of the same key say it once. */
export async function withProgressToast<T>(key: string, text: string, work: Promise<T>): Promise<T> {
  const said = setTimeout(() => toast({ key, text, durationMs: longest }), toastAfterMs)
  try {
    return await work
  } finally {
    clearTimeout(said)
    dismissToastOf(key)
  }
}
