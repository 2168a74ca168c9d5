import { Dismiss12Regular, Search16Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { Face } from '../shared/parts.tsx'
import '../shared/organisation.css'

export interface PickedPerson {
  readonly userId: number
  readonly accountName: string
  readonly account: string
}
export interface PickPeopleProps {
  readonly title: string
  readonly ok: string
  readonly picked: readonly PickedPerson[]
  /** One alone. */
  readonly single?: boolean
  readonly notId?: number
}

/** Chooses people by a part of their names; answers all that are chosen then. */
export function PickPeople(props: WindowProps<PickPeopleProps, readonly PickedPerson[]>): ReactNode {
  const { ok, picked: before, single, notId, close, setDirty } = props
  const t = useT()
  const [keyword, setKeyword] = useState('')
  const [picked, setPicked] = useState(before)
  const looked = useDeferredValue(keyword.trim())
  const found = useQuery({
    queryKey: ['organisation', 'pick', looked],
    queryFn: ({ signal }) => api.getPeople({ keyword: looked, rows: 50 }, { signal }),
  })
  const change = (next: readonly PickedPerson[]): void => {
    setPicked(next)
    setDirty(true)
  }
  const has = (id: number): boolean => picked.some(({ userId }) => userId === id)
  const toggle = (person: PickedPerson): void => {
    if (single) change([person])
    else change(has(person.userId) ? picked.filter(({ userId }) => userId !== person.userId) : [...picked, person])
  }
  return (
    <div className="or-pick">
      <div className="k-input or-search">
        <Search16Regular />
        <input
          type="search"
          autoFocus
          aria-label={t('org.search')}
          placeholder={t('org.search')}
          value={keyword}
          onChange={({ target }) => setKeyword(target.value)}
        />
      </div>
      {picked.length > 0 && (
        <ul className="or-chips">
          {picked.map((person) => (
            <li key={person.userId}>
              {person.accountName}
              <IconButton
                size="small"
                label={t('org.pick.drop', { name: person.accountName })}
                icon={<Dismiss12Regular />}
                onClick={() => change(picked.filter(({ userId }) => userId !== person.userId))}
              />
            </li>
          ))}
        </ul>
      )}
      <ul className="or-pick-list">
        {found.data?.list
          .filter(({ userId }) => userId !== notId)
          .map((person) => (
            <li key={person.userId}>
              <label className="or-pick-row">
                <input
                  type={single ? 'radio' : 'checkbox'}
                  name="person"
                  checked={has(person.userId)}
                  onChange={() => toggle(person)}
                />
                <Face id={person.userId} name={person.accountName} />
                <span>{person.accountName}</span>
                <small>
                  {person.account} · {person.groupName}
                </small>
              </label>
            </li>
          ))}
        {found.data?.list.length === 0 && <li className="or-none">{t('org.none')}</li>}
      </ul>
      <DialogFooter>
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button
          kind="primary"
          disabled={single && picked.length === 0}
          onClick={() => close(picked.map(({ userId, accountName, account }) => ({ userId, accountName, account })))}
        >
          {ok}
        </Button>
      </DialogFooter>
    </div>
  )
}
