// The company whose server the user signs in to, by a code or an address ([R009]-[R011]).

import { type ReactNode, useEffect, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { CheckmarkCircle16Regular } from '../../kit/icons.ts'

/** The result for the typed code or address. */
export type CompanyLookup =
  | { readonly kind: 'here'; readonly name: string }
  | { readonly kind: 'elsewhere'; readonly address: string }
  | { readonly kind: 'empty' | 'unknown' | 'noAddress' | 'asking' | 'failed' }

const waitMs = 300

/** The login page for a server address; undefined if it is not a web address. */
export function loginPageOf(address: string): string | undefined {
  try {
    const url = new URL(address)
    return /^https?:$/.test(url.protocol) ? new URL('/doc/login', url).href : undefined
  } catch {
    return undefined
  }
}

async function lookUpCompany(typed: string): Promise<CompanyLookup> {
  if (typed === '') return { kind: 'empty' }
  if (/[:/]/.test(typed)) {
    const address = loginPageOf(typed)
    return address === undefined ? { kind: 'noAddress' } : { kind: 'elsewhere', address }
  }
  try {
    const { companyName, address } = await api.findCompany({ companyCode: typed }, { quiet: true })
    if (address === '') return { kind: 'here', name: companyName }
    const page = loginPageOf(address)
    return page === undefined ? { kind: 'unknown' } : { kind: 'elsewhere', address: page }
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return { kind: error.code === 'companyNotFound' ? 'unknown' : 'failed' }
  }
}

/** The result for a code or an address, debounced. */
export function useCompanyField(serverCode: string, name: string) {
  const [typed, setTyped] = useState<string>()
  const [found, setFound] = useState<CompanyLookup>({ kind: 'asking' })
  const text = (typed ?? serverCode).trim()
  useEffect(() => {
    if (text === serverCode) return setFound({ kind: 'here', name })
    setFound({ kind: 'asking' })
    let gone = false
    const timer = setTimeout(() => {
      void lookUpCompany(text).then((answer) => {
        if (!gone) setFound(answer)
      })
    }, waitMs)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [text, serverCode, name])
  return { text: typed ?? serverCode, setText: setTyped, found }
}

interface CompanyFieldProps {
  readonly field: ReturnType<typeof useCompanyField>
}

export function CompanyField({ field: { text, setText, found } }: CompanyFieldProps): ReactNode {
  const t = useT()
  const problems = {
    empty: 'login.companyMissing',
    unknown: 'login.companyUnknown',
    noAddress: 'login.noAddress',
  } as const
  return (
    <TextField
      size="large"
      label={t('login.company')}
      placeholder={t('login.companyHint')}
      autoComplete="organization"
      autoCapitalize="off"
      maxLength={200}
      value={text}
      problem={found.kind in problems ? t(problems[found.kind as keyof typeof problems]) : undefined}
      onChange={({ target }) => setText(target.value)}
      after={
        found.kind === 'here' ? (
          <span className="login-company" role="status">
            <CheckmarkCircle16Regular />
            {found.name}
          </span>
        ) : (
          found.kind === 'elsewhere' && (
            <Button kind="link" onClick={() => location.assign(found.address)}>
              {t('login.goThere')}
            </Button>
          )
        )
      }
    />
  )
}
