// A choice of permissions: a named group, or single permissions with their dependencies.
import { closeRights, groupRights, hasRight, Right, rights, rightsGroup } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { listedRights, printRights } from './rights-labels.ts'

const groups = ['preview', 'download', 'edit', 'full'] as const

interface RightsChoiceProps {
  readonly label: string
  readonly value: number
  readonly onChange: (right: number) => void
  /** The requested permissions, listed first. */
  readonly asked?: number
  /** Permissions already held, marked as such. */
  readonly has?: number
}

export function RightsChoice({ label, value, onChange, asked, has = 0 }: RightsChoiceProps): ReactNode {
  const t = useT()
  const options = { printRights: printRights() }
  const offered = groups.filter((name) => (groupRights(name, options) & ~has) !== 0 || asked !== undefined)
  const groupNow = offered.find((name) => groupRights(name, options) === value)
  const [custom, setCustom] = useState(groupNow === undefined && value !== asked)
  const isAsked = !custom && asked !== undefined && value === asked
  const toggle = (name: (typeof shown)[number]): void => {
    const bit = Right[name]
    const without = shown.reduce((mask, one) => {
      const alone = closeRights(rights(Right[one]), options)
      return one !== name && (value & Right[one]) !== 0 && (alone & bit) === 0 ? mask | alone : mask
    }, Right.display as number)
    onChange((value & bit) === 0 ? closeRights(rights(value | bit), options) : without)
  }
  const shown = listedRights()
  return (
    <div className="ap-rights">
      <div className="ap-segments" role="group" aria-label={label}>
        {asked !== undefined && (
          <button
            type="button"
            aria-pressed={isAsked}
            onClick={() => {
              setCustom(false)
              onChange(asked)
            }}
          >
            {t('approvals.asAsked')}
          </button>
        )}
        {offered.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={!custom && !isAsked && groupNow === name}
            onClick={() => {
              setCustom(false)
              onChange(groupRights(name, options))
            }}
          >
            {t(`approvals.group.${name}`)}
          </button>
        ))}
        <button type="button" aria-pressed={custom} onClick={() => setCustom(true)}>
          {t('approvals.custom')}
        </button>
      </div>
      <div className="ap-bits" role="group" aria-label={t('approvals.single')}>
        {shown.map((name) => {
          const on = hasRight(rights(value), name)
          return custom ? (
            <button key={name} type="button" aria-pressed={on} onClick={() => toggle(name)}>
              {t(`drive.rights.${name}`)}
            </button>
          ) : on ? (
            <span key={name} data-has={(has & Right[name]) !== 0 || undefined}>
              {t(`drive.rights.${name}`)}
            </span>
          ) : null
        })}
      </div>
    </div>
  )
}

/** The default choice: the smallest group that adds a permission. */
export function firstChoice(has: number): number {
  const options = { printRights: printRights() }
  const name = groups.find((one) => (rightsGroup[one] & ~has) !== 0) ?? 'full'
  return groupRights(name, options)
}
