// The company logo, shown on the login page and at the top of every page ([R009]).
import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { CompanyLogo } from '../../people/index.ts'
import './settings.css'

interface LogoChoiceProps {
  readonly logo: string
  /** A new logo has been saved, or the logo was removed. */
  readonly onChange: (logo: string) => void
}

/** Chooses a picture, crops it and saves it, or removes the logo. */
export function LogoChoice({ logo, onChange }: LogoChoiceProps): ReactNode {
  const t = useT()
  const [problem, setProblem] = useState<string>()
  const save = async (picture: string): Promise<void> => {
    setProblem(undefined)
    try {
      const saved = await api.setCompanyLogo({ picture }, { quiet: true })
      onChange(saved.logo)
      toast({ kind: 'success', text: t(picture === '' ? 'admin.logo.removed' : 'admin.logo.saved') })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    }
  }
  const choose = async (): Promise<void> => {
    const picture = await openWindow('cloudoc-crop-avatar', {})
    if (picture !== undefined) await save(picture)
  }
  return (
    <span className="ad-logo">
      <CompanyLogo logo={logo} size={40} />
      <Button size="small" onClick={() => void choose()}>
        {t('admin.logo.choose')}
      </Button>
      {logo !== '' && (
        <Button size="small" kind="ghost" onClick={() => void save('')}>
          {t('admin.logo.remove')}
        </Button>
      )}
      {problem !== undefined && (
        <span className="k-problem" role="alert">
          {problem}
        </span>
      )}
    </span>
  )
}

/** Shown in the site group of the settings. */
export function LogoPart(): ReactNode {
  const t = useT()
  const kept = useStore(sessionStore, ({ session }) => session?.serverSetting.company_logo ?? '')
  const [logo, setLogo] = useState(kept)
  return (
    <div className="ad-set">
      <div className="ad-set-words">
        <b>{t('admin.logo')}</b>
        <p>{t('admin.logo.more')}</p>
      </div>
      <LogoChoice logo={logo} onChange={setLogo} />
    </div>
  )
}
