// The card of a person ([R008]): name, department, and contact details where the company shows them.

import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { api } from '../core/call/api.ts'
import { useT } from '../core/i18n/i18n.ts'
import { openAddress } from '../core/page/open-address.ts'
import { useSession } from '../core/session/session.ts'
import type { WindowProps } from '../core/windows/index.ts'
import { Button } from '../kit/button.tsx'
import { DialogBody } from '../kit/dialog.tsx'
import { Chat20Regular, PersonRegular } from '../kit/icons.ts'
import { Spinner } from '../kit/spinner.tsx'
import { Avatar } from '../people/index.ts'
import { loadOnline, onlineStore } from './presence.ts'
import './frame/account.css'

export interface PersonCardProps {
  readonly accountId: number
}

type Contact = Awaited<ReturnType<typeof api.getContact>>

export function PersonCard({ accountId, close }: WindowProps<PersonCardProps>): ReactNode {
  const t = useT()
  const { account: me, permission } = useSession()
  const [contact, setContact] = useState<Contact>()
  useEffect(() => {
    api.getContact({ accountId }).then(setContact, () => close())
  }, [accountId, close])
  const isOnline = useStore(onlineStore, ({ online }) => online?.has(accountId) === true)
  // Loads the online status when the card opens, and again whenever it may be out of date.
  const isUnknown = useStore(onlineStore, ({ online }) => online === undefined)
  useEffect(() => {
    if (isUnknown) void loadOnline().catch(() => undefined)
  }, [isUnknown])
  if (contact === undefined) return <Spinner />
  const { account, accountName, groupPath, title, avatar, gender, email, phone } = contact
  const facts = [
    [t('personal.account'), account],
    [t('card.group'), groupPath],
    [t('personal.email'), email],
    [t('personal.phone'), phone],
  ] as const
  return (
    <DialogBody>
      <div className="ac-card">
        <header>
          <Avatar name={accountName || account} picture={avatar} size={56} />
          <div>
            <h3>
              {accountName || account}
              {(gender === 0 || gender === 1) && (
                <span data-gender={gender} data-tip={t(`personal.gender.${gender}`)}>
                  <PersonRegular />
                  <span className="sr-only">{t(`personal.gender.${gender}`)}</span>
                </span>
              )}
            </h3>
            <p>
              {isOnline && <span className="ac-online">{t('card.online')}</span>}
              {title}
            </p>
          </div>
        </header>
        {accountId !== me.userId && !permission.isGuest && (
          <Button
            kind="primary"
            icon={<Chat20Regular />}
            onClick={() => {
              close()
              openAddress(`/im/index?user=${accountId}`)
            }}
          >
            {t('card.send')}
          </Button>
        )}
        <dl className="ac-facts">
          {facts.map(
            ([name, value]) =>
              value !== undefined &&
              value !== '' && (
                <div key={name} style={{ display: 'contents' }}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
      </div>
    </DialogBody>
  )
}
