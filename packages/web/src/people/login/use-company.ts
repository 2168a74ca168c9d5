import { useEffect, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { knownServer, rememberServer } from '../../core/session/local-state.ts'

interface Company {
  readonly name: string
  readonly logo: string
  readonly code: string
  readonly visitorMode: boolean
  /** Whether a forgotten password can be set by mail ([R024]); undefined until the server has said so. */
  readonly findPassword?: boolean
  /** The same by a short message. */
  readonly findPasswordBySms?: boolean
}

/** What the login page shows of the company: as this browser knows it, then as the server says. */
export function useCompany() {
  const known = knownServer()
  const [company, setCompany] = useState<Company>({
    name: known?.company ?? '',
    logo: known?.logo ?? '',
    code: '',
    visitorMode: false,
  })
  useEffect(() => {
    api.getCompanyInfo({}, { quiet: true }).then(
      ({ companyName, serverCode, logo, visitorMode, findPassword, findPasswordBySms }) => {
        rememberServer({ company: companyName, logo })
        setCompany({ name: companyName, logo, code: serverCode, visitorMode, findPassword, findPasswordBySms })
      },
      // Signing in says what is wrong.
      () => undefined,
    )
  }, [])
  return company
}
