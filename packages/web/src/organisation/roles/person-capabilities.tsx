import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkmark16Regular, Dismiss16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import './roles.css'

export interface PersonCapabilitiesProps {
  readonly userId: number
  readonly accountName: string
}

/** The capabilities of one user, and which role gives each. */
export function PersonCapabilities({ userId, accountName, close }: WindowProps<PersonCapabilitiesProps>): ReactNode {
  const t = useT()
  const { data, error } = useQuery({
    queryKey: ['organisation', 'person-may', userId],
    queryFn: () => api.getPersonCapabilities({ userId }),
  })
  return (
    <>
      <DialogBody>
        {error !== null ? (
          <p role="alert">{error.message}</p>
        ) : data === undefined ? (
          <Spinner />
        ) : (
          <>
            {data.external && <p className="k-help">{t('org.may.personExternal', { name: accountName })}</p>}
            <ul className="or-may">
              {data.list.map(({ capability, allowed, everybody, roles }) => (
                <li key={capability} data-no={!allowed || undefined}>
                  {allowed ? <Checkmark16Regular /> : <Dismiss16Regular />}
                  <span>{t(`org.may.${capability}`)}</span>
                  <small>
                    {allowed
                      ? [...(everybody ? [t('org.may.everybody')] : []), ...roles].join(t('admin.set.comma'))
                      : roles.length > 0
                        ? t('org.may.lacks')
                        : t('org.may.no')}
                  </small>
                </li>
              ))}
            </ul>
          </>
        )}
      </DialogBody>
      <DialogFooter>
        <Button kind="primary" onClick={() => close()}>
          {t('org.close')}
        </Button>
      </DialogFooter>
    </>
  )
}
