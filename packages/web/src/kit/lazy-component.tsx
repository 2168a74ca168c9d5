// A part of a page that is fetched when it is wanted. One that is there already is drawn at once: React's own lazy parts
// keep what stands in for them for 300 ms, however soon they come.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/** A component that is fetched when it is first drawn, or before by `fetch`. Where that fails, drawing it throws. */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  standIn: ReactNode,
): ComponentType<P> & { readonly fetch: () => Promise<unknown> } {
  let known: ComponentType<P> | undefined
  let underWay: Promise<void> | undefined
  // What has failed is fetched again when it is wanted again.
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
