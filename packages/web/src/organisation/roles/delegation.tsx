import { type DelegatedTask, delegatedTasks } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Dismiss16Regular } from '../../kit/icons.ts'
import { type Subject, SubjectField } from '../../people/index.ts'
import { Field } from '../shared/form-parts.tsx'

export interface DelegationProps {
  /** The administrator to change. Without it, the user is chosen in the window. */
  readonly person?: {
    readonly userId: number
    readonly accountName: string
    readonly tasks: readonly DelegatedTask[]
    readonly groups: readonly { readonly groupId: number; readonly groupName: string }[]
  }
}

/** Delegates departments to an administrator. */
export function Delegation({ person, close, setDirty }: WindowProps<DelegationProps, true>): ReactNode {
  const t = useT()
  const [chosen, setChosen] = useState<readonly Subject[]>(
    person === undefined ? [] : [{ type: 'user', id: person.userId, name: person.accountName }],
  )
  const [groups, setGroups] = useState(person?.groups ?? [])
  const [tasks, setTasks] = useState<readonly DelegatedTask[]>(person?.tasks ?? ['people'])
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const [who] = chosen
  const add = async (): Promise<void> => {
    const picked = await openWindow('organisation-pick-group', { title: t('org.pick.group'), ok: t('org.add') })
    if (picked === undefined || groups.some(({ groupId }) => groupId === picked.groupId)) return
    setGroups([...groups, picked])
    setDirty(true)
  }
  const save = async (): Promise<void> => {
    if (who === undefined || busy) return
    setBusy(true)
    try {
      await api.setDelegation({
        userId: who.id,
        groupIds: groups.map(({ groupId }) => groupId),
        tasks: delegatedTasks.filter((task) => tasks.includes(task)),
      })
      close(true)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <DialogBody>
        <div className="or-form">
          <Field label={t('org.column.person')}>
            {person === undefined ? (
              <SubjectField
                label={t('org.column.person')}
                types="user"
                autoFocus
                chosen={chosen}
                onChange={(next) => {
                  setChosen(next.slice(-1))
                  setProblem('')
                  setDirty(true)
                }}
              />
            ) : (
              <b>{person.accountName}</b>
            )}
          </Field>
          <Field label={t('org.admins.column.parts')} help={t('org.admins.below')}>
            <ul className="or-chips">
              {groups.map((group) => (
                <li key={group.groupId}>
                  {group.groupName}
                  <IconButton
                    size="small"
                    label={t('org.pick.drop', { name: group.groupName })}
                    icon={<Dismiss16Regular />}
                    onClick={() => setGroups(groups.filter((one) => one !== group))}
                  />
                </li>
              ))}
              <li className="is-plain">
                <Button kind="link" onClick={() => void add()}>
                  {t('org.add')}
                </Button>
              </li>
            </ul>
          </Field>
          <Field label={t('org.admins.column.tasks')} help={t('org.admins.notGiven')}>
            {delegatedTasks.map((task) => (
              <Checkbox
                key={task}
                label={t(`org.taskMore.${task}`)}
                checked={tasks.includes(task)}
                onChange={({ target }) => {
                  setTasks(target.checked ? [...tasks, task] : tasks.filter((one) => one !== task))
                  setDirty(true)
                }}
              />
            ))}
          </Field>
        </div>
        {problem !== '' && (
          <p className="k-problem" role="alert">
            {problem}
          </p>
        )}
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button
          kind="primary"
          disabled={busy || who === undefined || groups.length === 0 || tasks.length === 0}
          onClick={() => void save()}
        >
          {t('org.save')}
        </Button>
      </DialogFooter>
    </>
  )
}
