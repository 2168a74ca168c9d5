import { useEffect, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { knownServer, rememberServer } from '../../core/session/local-notes.ts'

/** What the login page shows of the company: as this browser knows it, then as the server says. */
export function useCompany() {
  const known = knownServer()
  const [company, setCompany] = useState({
    name: known?.company ?? '',
    logo: known?.logo ?? '',
    code: '',
    visitorMode: false,
    findPassword: false,
  })
  useEffect(() => {
    api.getCompanyInfo({}, { quiet: true }).then(
      ({ companyName, serverCode, logo, visitorMode, findPassword }) => {
        rememberServer({ company: companyName, logo })
        setCompany({ name: companyName, logo, code: serverCode, visitorMode, findPassword })
      },
      // Signing in says what is wrong.
      () => undefined,
    )
  }, [])
  return company
}
