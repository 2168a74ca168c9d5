import { type ReactNode, type SyntheticEvent, useCallback, useEffect, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { changeAccount, useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { LockClosed16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { useDraft } from '../../kit/use-draft.ts'
import { Avatar } from '../../people/index.ts'
import type { PageProps } from './page-props.ts'

type Info = Awaited<ReturnType<typeof api.getAccountInfo>>
type Profile = Pick<Info, 'title' | 'email' | 'phone' | 'gender'>

const profileOf = ({ title, email, phone, gender }: Info): Profile => ({ title, email, phone, gender })
const emptyProfile: Profile = { title: '', email: '', phone: '', gender: 2 }
const names = ['title', 'phone', 'email'] as const
const genders = [0, 1, 2] as const

/** The profile fields the user edits. Name and department are edited by an administrator. */
export function ProfilePage({ setDirty }: PageProps): ReactNode {
  const t = useT()
  const { account } = useSession()
  const [info, setInfo] = useState<Info>()
  const form = useDraft(info === undefined ? emptyProfile : profileOf(info), (values: Profile) => values)
  const [problem, setProblem] = useState<{ field: string; text: string }>()
  const read = useCallback(async () => {
    const found = await api.getAccountInfo({})
    setInfo(found)
  }, [])
  useEffect(() => void read().catch(() => undefined), [read])
  const profile = form.values
  const changed = Object.keys(form.changes).length
  useEffect(() => setDirty(changed > 0), [changed, setDirty])
  if (info === undefined) return <Spinner />

  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    try {
      await api.modifyUserInfo(profile, { quiet: true })
      changeAccount({ gender: profile.gender })
      await read()
      form.settle(profile)
      toast({ kind: 'success', text: t('personal.saved') })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const field = names.find((name) => error.message.includes(name)) ?? 'email'
      const isWrong = error.code === 'badRequest' && field !== 'title'
      setProblem({ field, text: isWrong ? t(`personal.wrong.${field}`) : error.message })
    }
  }
  const choosePicture = async (): Promise<void> => {
    const picture = await openWindow('cloudoc-crop-avatar', {})
    if (picture !== undefined) await setPicture(picture)
  }
  const setPicture = async (picture: string): Promise<void> => {
    const { avatar } = await api.setAvatar({ picture })
    changeAccount({ avatar })
  }
  return (
    <form className="ac-page" noValidate onSubmit={(event) => void save(event)}>
      <div className="ac-body">
        <div className="ac-profile-head">
          <Avatar name={account.accountName || account.account} picture={account.avatar} size={56} />
          <div>
            <b>{account.accountName}</b>
            <p>
              {account.account} · {info.groupPath}
            </p>
            <Button size="small" onClick={() => void choosePicture()}>
              {t('personal.otherPicture')}
            </Button>
            {account.avatar !== '' && (
              <Button size="small" kind="ghost" onClick={() => void setPicture('')}>
                {t('personal.noPicture')}
              </Button>
            )}
          </div>
        </div>
        <div className="ac-form">
          <TextField
            label={t('personal.name')}
            value={account.accountName}
            readOnly
            disabled
            after={<LockClosed16Regular />}
          />
          {names.map((name) => (
            <TextField
              key={name}
              label={t(name === 'title' ? 'personal.jobTitle' : `personal.${name}`)}
              type={name === 'email' ? 'email' : name === 'phone' ? 'tel' : 'text'}
              maxLength={name === 'title' ? 64 : name === 'phone' ? 32 : 254}
              value={profile[name]}
              problem={problem?.field === name ? problem.text : undefined}
              onChange={({ target }) => {
                form.edit({ [name]: target.value })
                setProblem(undefined)
              }}
            />
          ))}
          <fieldset className="ac-radios">
            <legend>{t('personal.gender')}</legend>
            {genders.map((gender) => (
              <label key={gender}>
                <input
                  type="radio"
                  name="gender"
                  checked={profile.gender === gender}
                  onChange={() => form.edit({ gender })}
                />
                {t(`personal.gender.${gender}`)}
              </label>
            ))}
          </fieldset>
        </div>
        <p className="ac-hint">{t('personal.whose')}</p>
      </div>
      <footer className="ac-foot">
        <span>{changed > 0 && t('personal.unsaved', { n: changed })}</span>
        <Button disabled={changed === 0} onClick={form.discard}>
          {t('personal.drop')}
        </Button>
        <Button kind="primary" type="submit" disabled={changed === 0}>
          {t('personal.save')}
        </Button>
      </footer>
    </form>
  )
}
