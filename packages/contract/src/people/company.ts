// The company of a server, queried before sign-in ([R009]-[R011]).
import { specialDaysOf } from '@cloudoc/domain'
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { text } from '../fields.ts'
import { Picture } from './pictures.ts'

/** Company codes that users enter: `huaxin`, `star-sea`. */
const code = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,31}$/u

export const company = feature({
  about: { name: 'company', text: 'The company whose server this is' },
  calls: {
    getCompanyInfo: call({
      summary: 'Tells whose server this is, before anybody signs in',
      kind: 'read',
      method: 'GET',
      path: '/services2/setting/getCompanyInfo',
      auth: 'none',
      payload: 'none',
      origin: 'ours',
      open: 'the name and the picture that the login page shows to everybody',
      input: z.strictObject({}),
      data: z.strictObject({
        companyName: z.string(),
        serverCode: z.string(),
        logo: z.string().describe('The name of a picture (getPicture); empty without one.'),
        visitorMode: z.boolean(),
        findPassword: z.boolean().describe('Whether a forgotten password can be set by mail.'),
        findPasswordBySms: z.boolean().describe('Whether it can be set by a short message.'),
      }),
    }),
    /** Returns the server of a company by its code. */
    findCompany: call({
      summary: 'Finds the server of a company by its code',
      title: { zh: '查找企业', en: 'Search for a company' },
      // Only updates the rate limit of the caller; no change to record.
      kind: 'staged',
      method: 'GET',
      path: '/services2/setting/findCompany',
      auth: 'none',
      payload: 'query',
      origin: 'ours',
      open: 'where a company signs in is what its people tell each other; asked too often it is refused',
      input: z.strictObject({ companyCode: text(64) }),
      sample: () => ({ companyCode: 'x' }),
      data: z.strictObject({
        companyName: z.string(),
        /** Empty: this server. */
        address: z.string(),
      }),
      codes: ['companyNotFound', 'sendingTooOften'],
    }),
    setCompanyLogo: call({
      summary: 'Sets the picture of the company',
      title: { zh: '修改公司标志', en: 'Picture of the company' },
      kind: 'write',
      method: 'POST',
      path: '/services2/setting/setCompanyLogo',
      auth: 'required',
      payload: 'json',
      origin: 'ours',
      guard: systemAdministrator,
      input: z.strictObject({ picture: Picture }),
      sample: () => ({ picture: '' }),
      data: z.strictObject({ logo: z.string() }),
      codes: ['pictureRefused'],
    }),
  },
  settings: {
    beside: {
      /** File name of the company logo. */
      company_logo: z.string().default(''),
      /** Contact for users who need help; shown in the technical support window ([R350]). */
      support_contact: z.string().max(200).default(''),
      /** The working days of a week: 0 Monday to Friday, 1 Monday to Saturday, 2 all seven. */
      work_week: z.int().min(0).max(2).default(0),
      /** Holidays and working weekends, as `specialDaysOf` reads them. Deadlines in working days are computed by them. */
      work_days: z.array(z.string().max(200)).max(1000).default([]),
    },
    inner: {
      /** Servers of other companies, `code=https://address` each. */
      company_codes: z.array(z.string().max(200)).max(1000).default([]),
    },
    administered: {
      support_contact: {
        label: { zh: '技术支持联系方式', en: 'Contact of technical support' },
        note: {
          zh: '显示在“技术支持”窗口里，例如电话、邮箱或值班室。',
          en: 'Shown in the window of technical support: a phone number, an address, a room.',
        },
        power: 'system',
        group: 'site',
        as: 'text',
        entered: text(200),
      },
      work_week: {
        label: { zh: '每周的工作日', en: 'Working days of a week' },
        note: {
          zh: '以工作日计的期限按它和下面的节假日计算，时间按公司的时区。',
          en: 'Deadlines in working days are computed by them and the days below, in the time zone of the company.',
        },
        power: 'system',
        group: 'calendar',
        as: 'number',
        choices: ['workFive', 'workSix', 'workSeven'],
      },
      work_days: {
        label: { zh: '节假日和调休', en: 'Holidays and working weekends' },
        note: {
          zh: '每行一天或一段：“2026-10-01..2026-10-07 休 国庆节”或“2026-10-10 班”。修改后，未到的期限重新计算并通知有关的人；没有录入的年份按每周的工作日计算。',
          en: 'A day or a span in each line: “2026-10-01..2026-10-07 off National Day” or “2026-10-10 work”. After a change, open deadlines are computed anew and people are told; years without entries follow the week alone.',
        },
        power: 'system',
        group: 'calendar',
        as: 'lines',
        entered: z
          .array(
            text(200).refine(
              (line) => specialDaysOf(line) !== undefined,
              'date or date..date, then 休 / off or 班 / work',
            ),
          )
          .max(1000),
      },
      server_code: {
        label: { zh: '企业代码', en: 'Company code' },
        note: {
          zh: '员工登录时输入的代码；填写后，登录页会显示企业代码一栏。',
          en: 'What people type when they sign in; the login page then shows a field for it.',
        },
        power: 'system',
        group: 'site',
        as: 'text',
        entered: text(32).regex(code).or(z.literal('')),
      },
      company_codes: {
        label: { zh: '其他企业的服务器', en: 'Servers of other companies' },
        note: {
          zh: '每行一个，写成“代码=https://地址”；在登录页输入这些代码会转到对应的地址。',
          en: 'One per line, written as code=https://address; typing such a code on the login page leads there.',
        },
        power: 'system',
        group: 'site',
        as: 'lines',
        entered: z.array(text(200).regex(/^[\p{L}\p{N}][\p{L}\p{N}_-]{0,31}\s*=\s*https?:\/\/[^\s/]+\/?$/iu)).max(1000),
      },
    },
  },
})
