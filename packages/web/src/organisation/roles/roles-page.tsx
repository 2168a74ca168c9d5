// Roles and administrators: what roles give, who has them ([R348]), and who administers what (admin.md E1).
import { Add16Regular, PersonSearch16Regular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AdminBody } from '../../admin/index.ts'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { refetchOrganisation } from '../shared/data.ts'
import { Matrix } from './matrix.tsx'
import '../shared/organisation.css'
import './roles.css'

export function RolesPage(): ReactNode {
  const t = useT()
  const { powers } = useSession().permission
  const { data, error, refetch } = useQuery({
    queryKey: ['organisation', 'capabilities'],
    queryFn: () => api.getCapabilities({}),
  })
  const [chosenId, setChosenId] = useState(0)
  const create = async (): Promise<void> => {
    let made = 0
    const name = await openWindow('organisation-name-group', {
      title: t('org.roles.new'),
      name: '',
      save: async (roleName) => {
        made = (await api.createRole({ roleName })).roleId
      },
    })
    if (name === undefined) return
    setChosenId(made)
    refetchOrganisation()
  }
  const ask = async (): Promise<void> => {
    const [person] =
      (await openWindow('people-pick', {
        title: t('org.may.person'),
        ok: t('org.may.show'),
        picked: [],
      })) ?? []
    if (person !== undefined) {
      const { userId, accountName } = person
      await openWindow('organisation-person-may', { userId, accountName })
    }
  }
  return (
    <AdminBody
      title={t('org.roles')}
      note={data && t('org.roles.count', { n: data.roles.length })}
      actions={
        <>
          <Button icon={<PersonSearch16Regular />} onClick={() => void ask()}>
            {t('org.may.person')}
          </Button>
          {powers.includes('system') && (
            <Button kind="primary" icon={<Add16Regular />} onClick={() => void create()}>
              {t('org.roles.new')}
            </Button>
          )}
        </>
      }
    >
      {error !== null ? (
        <StatePage title={t('org.failed')} text={error.message}>
          <Button onClick={() => void refetch()}>{t('admin.again')}</Button>
        </StatePage>
      ) : data === undefined ? (
        <Spinner />
      ) : (
        <Matrix told={data} chosenId={chosenId} onChoose={setChosenId} />
      )}
    </AdminBody>
  )
}
