import { useCallback, useEffect, useState } from 'react'
import { forget } from '../../core/session/remembered-logins.ts'
import { type SavedLogin, savedLogins } from '../../core/storage/logins.ts'

/** The remembered logins of this browser. */
export interface SavedLogins {
  /** Latest first; undefined until loaded. */
  readonly logins: readonly SavedLogin[] | undefined
  /** Loads them again. */
  readonly read: () => Promise<void>
  /** Removes one from the list at once, then from the browser and the server. */
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
