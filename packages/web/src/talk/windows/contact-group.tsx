// Makes or changes a contact group: a name that is used once, of at most 60 characters, and its people ([R300]).
import { limits } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import { isCommitEnter } from '../../kit/keys.ts'
import { type Subject, SubjectField } from '../../people/index.ts'

export interface ContactGroupProps {
  readonly contactGroupId?: number
}

const queryKey = ['im-contact-groups']

/** Asks for the name and the people of a contact group; answers its id. */
export function ContactGroupWindow(props: WindowProps<ContactGroupProps, number>): ReactNode {
  const { contactGroupId, close, setDirty } = props
  const t = useT()
  const { data } = useQuery({ queryKey, queryFn: () => api.getContactGroups({}) })
  const before = data?.list.find((group) => group.contactGroupId === contactGroupId)
  const [typed, setTyped] = useState<string>()
  const [chosen, setChosen] = useState<readonly Subject[]>()
  const [problem, setProblem] = useState<string>()
  const name = typed ?? before?.name ?? ''
  const people =
    chosen ?? (before?.members ?? []).map(({ userId, name: of }): Subject => ({ type: 'user', id: userId, name: of }))
  const clean = name.trim()
  const isTaken = data?.list.some(
    (group) => group.contactGroupId !== contactGroupId && group.name.toLowerCase() === clean.toLowerCase(),
  )
  const tooLong = clean.length > limits.longestContactGroup
  const shown = tooLong
    ? t('im.nameTooLong', { most: limits.longestContactGroup })
    : isTaken === true
      ? t('im.nameTaken')
      : problem
  const save = async (): Promise<void> => {
    if (clean === '') return setProblem(t('im.nameMissing'))
    if (tooLong || isTaken === true) return
    try {
      const saved = await api.saveContactGroup({
        ...(contactGroupId !== undefined && { contactGroupId }),
        name: clean,
        userIdArray: people.map(({ id }) => id),
      })
      await queryClient.invalidateQueries({ queryKey })
      close(saved.contactGroupId)
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'alreadyExists') throw error
      setProblem(t('im.nameTaken'))
    }
  }
  return (
    <>
      <DialogBody>
        <TextField
          label={t('im.contactName')}
          value={name}
          autoFocus
          problem={shown}
          onChange={(event) => {
            setTyped(event.target.value)
            setProblem(undefined)
            setDirty(true)
          }}
          onKeyDown={(event) => isCommitEnter(event) && void save()}
        />
        <SubjectField
          label={t('im.peopleIn')}
          types="user"
          chosen={people}
          onChange={(next) => {
            setChosen(next)
            setDirty(true)
          }}
        />
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('im.cancel')}</Button>
        <Button kind="primary" onClick={() => void save()}>
          {t('im.save')}
        </Button>
      </DialogFooter>
    </>
  )
}
