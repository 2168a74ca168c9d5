// The value of the last render, for what an answer of the server is added to.
import { type RefObject, useEffect, useRef } from 'react'

/** The newest value: what is typed while an answer is awaited is not overwritten by it. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}
