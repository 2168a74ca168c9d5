// What was done by an application: its links, and each download or visit with person, time, way and version.
import type { OperationApplicationDetail } from '@cloudoc/contract'
import { ApplyType, fullTime } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { openWindow } from '../../core/windows/index.ts'
import { IconButton } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Open16Regular } from '../../kit/icons.ts'

interface ApplicationUsesProps {
  readonly detail: OperationApplicationDetail
}

export function ApplicationUses({ detail }: ApplicationUsesProps): ReactNode {
  const { state, links, uses } = detail
  return (
    <>
      {links.length > 0 && <Links links={links} />}
      {(state === 'approved' || uses.length > 0) && <Uses detail={detail} />}
    </>
  )
}

function Links({ links }: Pick<OperationApplicationDetail, 'links'>): ReactNode {
  const t = useT()
  return (
    <section className="al-uses" aria-label={t('applications.links')}>
      <h3>{t('applications.links')}</h3>
      <ul>
        {links.map(({ externalId, fName, note, status, mayManage }) => {
          const name = note === '' ? fName : note
          return (
            <li key={externalId}>
              <span className="al-uses-name" title={name}>
                {name}
              </span>
              <StatusChip tone="neutral">{t(`applications.links.status.${status}`)}</StatusChip>
              {mayManage && (
                <IconButton
                  size="small"
                  icon={<Open16Regular />}
                  label={t('applications.links.open', { name: isolated(name) })}
                  onClick={() => void openWindow('cloudoc-link-detail', { externalId, name })}
                />
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Uses({ detail: { operateType, uses } }: ApplicationUsesProps): ReactNode {
  const t = useT()
  const isLink = operateType === ApplyType.external
  const title = t(isLink ? 'applications.uses.link' : 'applications.uses')
  return (
    <section className="al-uses" aria-label={title}>
      <h3>{title}</h3>
      {uses.length === 0 ? (
        <p>{t(isLink ? 'applications.uses.link.none' : 'applications.uses.none')}</p>
      ) : (
        <ul>
          {uses.map((use, n) => (
            <li key={`${use.time} ${n}`}>
              <time>{fullTime(use.time)}</time>
              <span className="al-uses-name" title={use.fName}>
                {use.fName}
                {use.version > 0 && <em>{t('applications.uses.version', { n: use.version })}</em>}
              </span>
              <small title={use.address}>
                {[
                  use.person === '' ? t('applications.uses.nobody') : isolated(use.person),
                  isLink ? t(`applications.what.${use.what}`) : t(`applications.way.${use.way}`),
                ].join(' · ')}
              </small>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
