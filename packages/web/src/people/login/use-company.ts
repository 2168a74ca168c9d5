import { useEffect, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { knownServer, rememberServer } from '../../core/session/local-state.ts'

interface Company {
  readonly name: string
  readonly logo: string
  readonly code: string
  readonly visitorMode: boolean
  /** Whether a forgotten password can be reset by mail ([R024]); undefined until the server has answered. */
  readonly findPassword?: boolean
  /** The same by text message. */
  readonly findPasswordBySms?: boolean
}

/** The company data on the login page: first as stored in this browser, then as the server answers. */
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
      // An error is shown when the user signs in.
      () => undefined,
    )
  }, [])
  return company
}
