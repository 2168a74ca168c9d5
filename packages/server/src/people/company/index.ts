// Which company this server belongs to, and where members of other companies sign in ([R009]-[R011]).
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { isMailSetUp } from '../../core/mail/index.ts'
import type { Services } from '../../core/services.ts'
import { changeSettings } from '../../core/settings.ts'
import { isSmsSetUp } from '../../core/sms/index.ts'
import { limitHandOuts } from '../auth/index.ts'
import { replacePicture } from '../pictures/index.ts'

const keyOf = (code: string): string => code.normalize('NFKC').trim().toLowerCase()

/** Finds the server address of a company in lines `code=https://address`. */
function addressOf(lines: readonly string[], code: string): string | undefined {
  for (const line of lines) {
    const at = line.indexOf('=')
    if (keyOf(line.slice(0, at)) === code) return line.slice(at + 1).trim()
  }
  return undefined
}

export function companyHandlers({ settings }: Pick<Services, 'settings'>) {
  return implement(features.company.calls, {
    async getCompanyInfo() {
      const known = await settings.current()
      const { setting, company_name, company_logo, inner } = known
      return {
        companyName: company_name,
        serverCode: setting.server_code,
        logo: company_logo,
        visitorMode: inner.visitor_mode,
        findPassword: isMailSetUp(known),
        findPasswordBySms: isSmsSetUp(known),
      }
    },

    async findCompany({ db, address, now }, { companyCode }) {
      await limitHandOuts(db, 'company', address, now)
      const { setting, company_name, inner } = await settings.current()
      const code = keyOf(companyCode)
      if (code !== '' && code === keyOf(setting.server_code)) return { companyName: company_name, address: '' }
      return { companyName: '', address: addressOf(inner.company_codes, code) ?? fail('companyNotFound') }
    },

    async setCompanyLogo(context, { picture }) {
      const logo = await replacePicture(context.tx, actorOf(context).settings.company_logo, picture)
      await changeSettings(context, { company_logo: logo })
      return { logo }
    },
  })
}
