// Feature switches: what is switched off is gone for everybody, until it is switched on again. Nothing is deleted.
import { z } from 'zod'
import { systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { featureSwitches } from '../feature-switches.ts'
import { Nothing, Time } from '../fields.ts'

const administrators = { auth: 'required', origin: 'ours', guard: systemAdministrator } as const

const Name = z.enum(featureSwitches)

export const switches = feature({
  about: { name: 'switches', text: 'Features that are switched off as a whole' },
  calls: {
    getFeatures: call({
      summary: 'Lists the features that can be switched off',
      ...administrators,
      kind: 'read',
      method: 'GET',
      path: '/services2/switches/getFeatures',
      payload: 'none',
      input: z.strictObject({}),
      data: z.strictObject({
        list: z.array(
          z.strictObject({
            feature: Name,
            isOn: z.boolean(),
            /** The last change, and by whom; null: it was never changed. */
            changed: z.strictObject({ at: Time, by: z.string() }).nullable(),
          }),
        ),
      }),
    }),
    setFeature: call({
      summary: 'Switches a feature off or on for everybody',
      notes: 'While it is off, its calls answer -531, and its pages and pushes are not there. Its data stay.',
      title: { zh: '开关功能', en: 'Switched a feature' },
      ...administrators,
      kind: 'write',
      method: 'POST',
      path: '/services2/switches/setFeature',
      payload: 'json',
      input: z.strictObject({
        feature: Name.describe('The feature.'),
        isOn: z.boolean().describe('Whether it is on for everybody.'),
      }),
      sample: () => ({ feature: 'webdav', isOn: true }),
      data: Nothing,
    }),
  },
  settings: {
    beside: {
      /** The features that are switched off. */
      features_off: z.array(Name).max(featureSwitches.length).default([]),
    },
  },
})
