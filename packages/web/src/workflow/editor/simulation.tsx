// The simulation: choose a launcher and values, and see which way a process would take, with real names.
import type { Answer, calls, TemplateBody } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Step } from '../../approvals/index.ts'
import { api } from '../../core/call/api.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { FormFields, type FormNames } from '../shared/form-fields.tsx'
import { valuesOf, workflowKey } from '../shared/workflow-queries.ts'
import './editor.css'

export type Simulated = Answer<typeof calls.simulateProcess>

export interface Situation {
  readonly launcherId: number
  readonly launcher: string
  readonly form: Readonly<Record<string, string>>
  readonly fileType: string
  readonly names: FormNames
}

/** What is simulated, beginning with the user as launcher. */
export function useSimulation(body: TemplateBody, isOn: boolean) {
  const { account } = useSession()
  const [situation, setSituation] = useState<Situation>({
    ...{ launcherId: account.accountId, launcher: account.accountName, form: {}, fileType: 'docx', names: {} },
  })
  const { launcherId, form, fileType } = situation
  const { data } = useQuery({
    queryKey: [...workflowKey, 'simulation', JSON.stringify({ body, launcherId, form, fileType })],
    queryFn: () => api.simulateProcess({ body, launcherId, form: valuesOf(form), fileType }, { quiet: true }),
    enabled: isOn,
    placeholderData: (before) => before,
  })
  return { situation, setSituation, data }
}

interface SituationProps {
  readonly body: TemplateBody
  readonly situation: Situation
  readonly onChange: (situation: Situation) => void
}

/** The values of the simulation. */
export function SituationPanel({ body, situation, onChange }: SituationProps): ReactNode {
  const t = useT()
  const pick = async (): Promise<void> => {
    const title = t('workflow.fact.launcher')
    const [person] = (await openWindow('people-pick', { title, ok: t('workflow.ok'), picked: [] })) ?? []
    if (person !== undefined) onChange({ ...situation, launcherId: person.userId, launcher: person.accountName })
  }
  return (
    <div className="we-outline">
      <h3>{t('workflow.simulate')}</h3>
      <p>{t('workflow.simulate.more')}</p>
      <div className="we-row">
        <span>{t('workflow.fact.launcher')}</span>
        <div>
          <Button onClick={() => void pick()}>{situation.launcher}</Button>
        </div>
      </div>
      <div className="we-row">
        <span>{t('workflow.fact.file.type')}</span>
        <div>
          <span className="k-input">
            <input
              aria-label={t('workflow.fact.file.type')}
              maxLength={20}
              value={situation.fileType}
              onChange={({ target }) => onChange({ ...situation, fileType: target.value })}
            />
          </span>
        </div>
      </div>
      <FormFields
        fields={body.fields}
        values={situation.form}
        names={situation.names}
        isChecked={false}
        problemOf={() => undefined}
        onChange={(field, value, name) =>
          onChange({
            ...situation,
            form: { ...situation.form, [field]: value },
            ...(name !== undefined && { names: { ...situation.names, [name[0]]: name[1] } }),
          })
        }
      />
    </div>
  )
}

/** Who of a step cannot act, and what happens then. */
function unableText(t: Translate, { unable, isInstead, isStuck }: Simulated['steps'][number]): string {
  const names = unable
    .map(({ accountName: name, gone }) => t(gone ? 'workflow.simulate.gone' : 'workflow.simulate.unable', { name }))
    .join(t('workflow.listJoin'))
  const then = isStuck ? 'launcher' : isInstead ? 'instead' : 'others'
  return t(`workflow.simulate.then.${then}`, { names })
}

/** The road of the simulation, and what is noticeable about it. */
export function RoadPanel({
  body,
  launcher,
  data,
}: {
  readonly body: TemplateBody
  readonly launcher: string
  readonly data: Simulated | undefined
}): ReactNode {
  const t = useT()
  if (data === undefined) return <Spinner label={t('workflow.loading')} />
  const seen = new Map<string, number>()
  for (const { people, need } of data.steps)
    if (need > 0) for (const { accountName } of people) seen.set(accountName, (seen.get(accountName) ?? 0) + 1)
  const twice = [...seen].filter(([, n]) => n > 1).map(([name]) => name)
  const closed = data.problems
    .filter(({ problem }) => problem === 'noUploadRight')
    .map(({ node }) => body.nodes.find(({ id }) => id === node)?.name ?? '')
  const stuck = data.steps.filter(({ isStuck }) => isStuck)
  return (
    <section className="we-panel" aria-label={t('workflow.road')}>
      <h3>{t('workflow.simulate.steps', { n: data.steps.length })}</h3>
      <ol className="ap-way">
        <Step look="done" title={t('workflow.entry.launched', { name: launcher })} />
        {data.steps.map((step, n) => (
          <Step key={`${step.node} ${n}`} look={step.isStuck ? 'no' : 'done'} title={step.name}>
            <small>
              {step.isStuck
                ? t('workflow.road.stuck')
                : step.people.length === 0
                  ? t(step.chosenBy === 'before' ? 'workflow.road.before' : 'workflow.road.launcher')
                  : step.people.map(({ accountName }) => accountName).join(t('workflow.listJoin'))}
              {step.need > 0 && step.people.length > 1 && ` · ${t('workflow.need.count', { n: step.need })}`}
            </small>
            {step.unable.length > 0 && <small>{unableText(t, step)}</small>}
          </Step>
        ))}
      </ol>
      {twice.length > 0 && (
        <p className="wf-note">{t('workflow.simulate.twice', { names: twice.join(t('workflow.listJoin')) })}</p>
      )}
      {closed.length > 0 && (
        <p className="wf-note" data-tone="danger">
          {t('workflow.simulate.closed', { name: launcher, names: closed.join(t('workflow.listJoin')) })}
        </p>
      )}
      <p className="wf-note" data-tone={stuck.length === 0 ? 'success' : 'danger'}>
        {stuck.length === 0
          ? t('workflow.simulate.ok')
          : t('workflow.simulate.stuck', { names: stuck.map(({ name }) => name).join(t('workflow.listJoin')) })}
      </p>
    </section>
  )
}
