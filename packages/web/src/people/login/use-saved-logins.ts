import { useCallback, useEffect, useState } from 'react'
import { forget } from '../../core/session/remembered-logins.ts'
import { type SavedLogin, savedLogins } from '../../core/storage/logins.ts'

/** The logins that this browser remembers. */
export interface SavedLogins {
  /** The latest first; undefined until they have been read. */
  readonly logins: readonly SavedLogin[] | undefined
  /** Reads them again. */
  readonly read: () => Promise<void>
  /** Takes one out at once, and then out of the browser and from the server. */
  readonly drop: (account: string) => Promise<void>
}

export function useSavedLogins(): SavedLogins {
  const [logins, setLogins] = useState<readonly SavedLogin[]>()
  const read = useCallback(async () => setLogins(await savedLogins()), [])
  const drop = useCallback(async (account: string) => {
    setLogins((known) => known?.filter((one) => one.account !== account))
    await forget(account)
  }, [])
  useEffect(() => void read(), [read])
  return { logins, read, drop }
}
