// The lists of what waits for a decision of the person, and of what they have asked for.
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { areas } from '../core/area/area.ts'
import { useT } from '../core/i18n/i18n.ts'
import { mayUse, useSession } from '../core/session/session.ts'
import { approvalPages, useSecurityPages, useWaiting } from './approvals-badge.tsx'
import { MobilePage } from './frame.tsx'
import { Row } from './row.tsx'

export function Approvals(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const { permission } = useSession()
  const waitingOf = useWaiting()
  const security = useSecurityPages()
  const offered = new Set(
    areas().flatMap(({ routes = [] }) =>
      routes.filter(({ needs }) => mayUse(permission, needs)).map(({ path }) => path),
    ),
  )
  const dueOf = (counter: string | undefined): string | undefined => {
    const count = waitingOf(counter)
    return count === 0 ? undefined : t('mobile.due', { n: count })
  }
  const go = (path: string) => (): void => void navigate(`/m/page/${path}`)
  return (
    <MobilePage title={t('mobile.approvals')}>
      <div className="m-rows">
        {approvalPages
          .filter(({ page }) => offered.has(page))
          .map(({ page, icon, label, counter }) => (
            <Row key={page} icon={icon} label={t(label)} value={dueOf(counter)} onPress={go(page)} />
          ))}
        {security.map(({ page, icon, label, counter }) => (
          <Row
            key={page}
            icon={icon}
            label={t(label)}
            value={dueOf(counter?.waiting ? counter.name : undefined)}
            onPress={go(`security/${page}`)}
          />
        ))}
      </div>
    </MobilePage>
  )
}
