import { useCallback, useEffect, useRef, useState } from 'react'
import { type SavedLogin, savedLogins } from '../../core/local-db/logins.ts'

/** The logins that this browser remembers, and how to read them again; the latest is chosen as soon as it is known. */
export function useSavedLogins(choose: (login: SavedLogin) => void): [readonly SavedLogin[], () => Promise<void>] {
  const [logins, setLogins] = useState<readonly SavedLogin[]>([])
  const read = useCallback(async () => setLogins(await savedLogins()), [])
  const first = useRef(choose)
  useEffect(() => {
    void savedLogins().then((found) => {
      setLogins(found)
      if (found[0] !== undefined) first.current(found[0])
    })
  }, [])
  return [logins, read]
}
