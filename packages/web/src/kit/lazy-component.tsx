// A component that is loaded on demand. If it is already loaded, it renders at once; React's lazy components show their
// fallback for 300 ms even then.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/** A component that is loaded at its first render, or earlier by `fetch`. If loading fails, rendering throws. */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  standIn: ReactNode,
): ComponentType<P> & { readonly fetch: () => Promise<unknown> } {
  let known: ComponentType<P> | undefined
  let underWay: Promise<void> | undefined
  // After a failure the next use loads it again.
  const fetch = async (): Promise<void> => {
    if (known !== undefined) return
    underWay ??= load()
      .then((part) => {
        known = part
      })
      .finally(() => {
        underWay = undefined
      })
    await underWay
  }
  const Coming = (props: P): ReactNode => {
    const [, setThere] = useState(known !== undefined)
    const [failure, setFailure] = useState<{ readonly error: unknown }>()
    useEffect(() => {
      let isGone = false
      fetch().then(
        () => !isGone && setThere(true),
        (error: unknown) => !isGone && setFailure({ error }),
      )
      return () => {
        isGone = true
      }
    }, [])
    if (failure !== undefined) throw failure.error
    const Part = known
    return Part === undefined ? standIn : <Part {...props} />
  }
  return Object.assign(Coming, { fetch })
}
