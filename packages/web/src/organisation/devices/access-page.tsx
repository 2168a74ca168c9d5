// The rules on access: from which network, with which device, when, with which level and client, and what follows.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AdminBody } from '../../admin/frame/admin-body.tsx'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Add16Regular, ArrowDown16Regular, ArrowUp16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { Switch } from '../../kit/switch.tsx'
import { RuleForm } from './rule-form.tsx'
import { actionTones, daysText, type Rule } from './rules.ts'
import { TryAccess } from './try-access.tsx'
import './texts.ts'
import './devices.css'

const rulesKey = ['admin', 'accessRules'] as const

export function AccessPage(): ReactNode {
  const t = useT()
  const { data, error, refetch } = useQuery({ queryKey: rulesKey, queryFn: () => api.getAccessRules({}) })
  const [draft, setDraft] = useState<readonly Rule[]>()
  const [edited, setEdited] = useState<number>()
  const [hit, setHit] = useState(-1)
  if (error !== null) return <LoadFailure error={error} retry={refetch} />
  if (data === undefined) return <Spinner />
  const rules = draft ?? data.list
  const change = (next: readonly Rule[]): void => {
    setHit(-1)
    setDraft(next)
  }
  const save = async (): Promise<void> => {
    await api.setAccessRules({ list: [...rules] })
    toast({ kind: 'success', text: t('access.saved') })
    setDraft(undefined)
    setEdited(undefined)
    await queryClient.invalidateQueries({ queryKey: rulesKey })
  }
  const add = (): void => {
    change([
      ...rules,
      {
        ...{ name: t('access.nameNew'), enabled: true, minLevel: 0, networks: [], outside: true },
        ...{ devices: 'any', clients: [], hours: null, action: 'readOnly' },
      },
    ])
    setEdited(rules.length)
  }
  return (
    <AdminBody
      title={t('org.access')}
      note={t('access.note')}
      actions={
        <>
          <Button icon={<Add16Regular />} onClick={add}>
            {t('access.add')}
          </Button>
          <Button kind="primary" disabled={draft === undefined} onClick={() => void save().catch(() => undefined)}>
            {t('access.save')}
          </Button>
        </>
      }
    >
      <div className="ar">
        <div>
          {rules.length === 0 && <StatePage title={t('access.none')} text={t('access.noneMore')} />}
          {rules.map((rule, at) => (
            // Rules have no number of their own; their order is what they are.
            <RuleCard
              // oxlint-disable-next-line react/no-array-index-key
              key={at}
              rule={rule}
              at={at}
              isHit={at === hit}
              isEdited={at === edited}
              isLast={at === rules.length - 1}
              onEdit={(on) => setEdited(on ? at : undefined)}
              onChange={(next) => change(rules.map((one, other) => (other === at ? next : one)))}
              onRemove={() => {
                change(rules.filter((_, other) => other !== at))
                setEdited(undefined)
              }}
              onMove={(by) => {
                const next = [...rules]
                const [moved] = next.splice(at, 1)
                if (moved !== undefined) next.splice(at + by, 0, moved)
                change(next)
                setEdited(undefined)
              }}
            />
          ))}
          {rules.length > 0 && <p className="ar-note">{t('access.exempt')}</p>}
        </div>
        <TryAccess rules={rules} onHit={setHit} />
      </div>
    </AdminBody>
  )
}

function RuleCard(props: {
  readonly rule: Rule
  readonly at: number
  readonly isHit: boolean
  readonly isEdited: boolean
  readonly isLast: boolean
  readonly onEdit: (on: boolean) => void
  readonly onChange: (rule: Rule) => void
  readonly onRemove: () => void
  readonly onMove: (by: 1 | -1) => void
}): ReactNode {
  const t = useT()
  const { rule, at, isEdited } = props
  return (
    <section className={props.isHit ? 'ar-rule is-hit' : 'ar-rule'} aria-label={rule.name}>
      <div className="ar-head">
        <span>{at + 1}</span>
        <strong>{rule.name}</strong>
        <StatusChip tone={actionTones[rule.action]}>{t(`access.action.${rule.action}`)}</StatusChip>
        <Switch
          label={t('access.enabled', { name: rule.name })}
          on={rule.enabled}
          onChange={(enabled) => props.onChange({ ...rule, enabled })}
        />
        <IconButton
          label={t('access.up')}
          icon={<ArrowUp16Regular />}
          disabled={at === 0}
          onClick={() => props.onMove(-1)}
        />
        <IconButton
          label={t('access.down')}
          icon={<ArrowDown16Regular />}
          disabled={props.isLast}
          onClick={() => props.onMove(1)}
        />
        <Button size="small" onClick={() => props.onEdit(!isEdited)}>
          {t(isEdited ? 'access.close' : 'access.edit')}
        </Button>
      </div>
      {isEdited ? (
        <RuleForm rule={rule} onChange={props.onChange} onRemove={props.onRemove} />
      ) : (
        <Conditions rule={rule} />
      )}
    </section>
  )
}

const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** The conditions of a rule, one chip each. */
function Conditions({ rule }: { readonly rule: Rule }): ReactNode {
  const t = useT()
  const { secret_names: names } = useSession().serverSetting
  const { minLevel, networks, outside, devices, clients, hours } = rule
  const chips = [
    minLevel === 0 ? t('access.anyLevel') : `${t('access.level')} ${names[minLevel - 1] ?? minLevel}`,
    ...(networks.length === 0 ? [] : [`${outside ? `${t('access.outside')}: ` : ''}${networks.join(', ')}`]),
    t(`access.devices.${devices}`),
    ...clients.map((client) => t(`access.client.${client}`)),
    ...(hours === null
      ? []
      : [
          `${daysText(hours.days, t)} ${clockText(hours.from)}–${clockText(hours.to)}${
            hours.outside ? ` · ${t('access.outsideHours')}` : ''
          }`,
        ]),
  ]
  return (
    <div className="ar-chips">
      {chips.map((chip) => (
        <StatusChip key={chip}>{chip}</StatusChip>
      ))}
    </div>
  )
}
