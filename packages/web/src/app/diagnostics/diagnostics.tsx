import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { version } from '../../core/page/version.ts'
import { useLinkedServers } from '../../core/session/linked-servers.ts'
import { sessionStore } from '../../core/session/session.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { CheckmarkCircle20Filled, DismissCircle20Filled, Warning20Filled } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { type CheckName, checks, type Finding, type LinkedFinding, linkedCheck } from './checks.ts'
import './diagnostics.css'
import './texts.ts'

const icons = {
  good: <CheckmarkCircle20Filled />,
  limited: <Warning20Filled />,
  bad: <DismissCircle20Filled />,
} as const

type Shown = Finding | LinkedFinding | undefined

/** Shows which parts of the connection work (window connection-diagnostics, [R078]). */
export function Diagnostics({ close }: WindowProps<object>): ReactNode {
  const t = useT()
  const [findings, setFindings] = useState<Partial<Record<CheckName, Finding>>>({})
  const servers = useLinkedServers()
  const [linked, setLinked] = useState<Readonly<Record<number, LinkedFinding>>>({})
  const linkedIds = servers.map(({ serverId }) => serverId).join()
  const check = useCallback(() => {
    setFindings({})
    setLinked({})
    for (const serverId of linkedIds === '' ? [] : linkedIds.split(',').map(Number)) {
      void linkedCheck(serverId).then((finding) => setLinked((known) => ({ ...known, [serverId]: finding })))
    }
    for (const [name, run] of checks) {
      void run().then((finding) => setFindings((known) => ({ ...known, [name]: finding })))
    }
  }, [linkedIds])
  useEffect(check, [check])

  const wordsOf = ({ found, ms }: Finding | LinkedFinding): string =>
    ms === undefined ? t(found) : `${t(found)} · ${ms} ms`
  // Whoever has no session has nowhere to send logs to.
  const isSignedIn = sessionStore.getState().session !== undefined
  const lines: readonly { readonly key: string; readonly label: string; readonly finding: Shown }[] = [
    ...checks.map(([name]) => ({ key: name, label: t(`diagnostics.${name}`), finding: findings[name] })),
    ...servers.map(({ serverId, serverName: name }) => ({
      key: `s${serverId}`,
      label: t('linked.server', { name }),
      finding: linked[serverId],
    })),
  ]
  const running = lines.some(({ finding }) => finding === undefined)
  const report = (): string =>
    [
      `${t('app.product')} ${version.web} · ${location.origin} · ${new Date().toISOString()}`,
      ...lines.map(({ label, finding }) => `${label}: ${finding === undefined ? '' : wordsOf(finding)}`),
      navigator.userAgent,
    ].join('\n')
  return (
    <>
      <DialogBody reading={t('diagnostics.title')}>
        <ul className="diagnostics" aria-live="polite" aria-busy={running}>
          {lines.map(({ key, label, finding }) => (
            <li key={key} className={finding && `is-${finding.state}`}>
              <span className="diagnostics-state">{finding === undefined ? <Spinner /> : icons[finding.state]}</span>
              <span>{label}</span>
              <span className="diagnostics-found">
                {finding === undefined ? t('diagnostics.running') : wordsOf(finding)}
              </span>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter>
        {isSignedIn && (
          <Button kind="link" onClick={() => void openWindow('log-report', {})}>
            {t('diagnostics.report')}
          </Button>
        )}
        <Button disabled={running} onClick={() => void copyText(report())}>
          {t('diagnostics.copy')}
        </Button>
        <Button disabled={running} onClick={check}>
          {t('diagnostics.again')}
        </Button>
        <Button kind="primary" autoFocus onClick={() => close()}>
          {t('box.close')}
        </Button>
      </DialogFooter>
    </>
  )
}
