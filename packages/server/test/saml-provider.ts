// A SAML 2.0 provider for tests: the npm package samlify in its role as identity provider, with a real key.
import { createRequire } from 'node:module'
import { samlKeys } from './saml-keys.ts'

/** The parts of samlify that are used. Its own types bring those of a page, which this server does not have. */
interface Samlify {
  setSchemaValidator(validator: { validate: () => Promise<string> }): void
  IdentityProvider(settings: object): {
    parseLoginRequest(
      service: object,
      binding: string,
      request: object,
    ): Promise<{ readonly extract: { readonly request: { readonly id: string } } }>
    createLoginResponse(
      service: object,
      request: object,
      binding: string,
      user: object,
      options: {
        readonly customTagReplacement: (template: string) => { readonly id: string; readonly context: string }
      },
    ): Promise<{ readonly context: string }>
  }
  ServiceProvider(settings: object): object
}
const samlify = createRequire(import.meta.url)('samlify') as Samlify

samlify.setSchemaValidator({ validate: () => Promise.resolve('not asked: this is the test') })

const issuer = 'https://idp.huaxin.example/saml'
export interface SamlAnswer {
  readonly nameId?: string
  readonly format?: string
  readonly attributes?: Readonly<Record<string, readonly string[]>>
  readonly issuer?: string
  readonly audience?: string
  readonly recipient?: string
  readonly inResponseTo?: string
  /** How far its clock is ahead, in milliseconds. */
  readonly clock?: number
  readonly key?: { readonly key: string; readonly certificate: string }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const template = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_response" Version="2.0" IssueInstant="{now}" Destination="{recipient}" InResponseTo="{inResponseTo}"><saml:Issuer>{issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_assertion" Version="2.0" IssueInstant="{now}"><saml:Issuer>{issuer}</saml:Issuer><saml:Subject><saml:NameID Format="{format}">{nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{until}" Recipient="{recipient}" InResponseTo="{inResponseTo}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{now}" NotOnOrAfter="{until}"><saml:AudienceRestriction><saml:Audience>{audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{now}" SessionIndex="_session"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>{attributes}</saml:Assertion></samlp:Response>`

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

/** The answer of the provider to the address that the server sent the browser to: base64, and its state. */
export async function samlAnswer(
  address: string,
  answerAddress: string,
  answer: SamlAnswer = {},
): Promise<{ readonly response: string; readonly state: string; readonly requestId: string }> {
  const { key, certificate } = answer.key ?? samlKeys.own
  const idp = samlify.IdentityProvider({
    ...{ entityID: answer.issuer ?? issuer, privateKey: key, signingCert: certificate },
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    singleSignOnService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: `${issuer}/sso` }],
    nameIDFormat: [persistent],
    loginResponseTemplate: { context: template, attributes: [] },
  })
  const entityID = `${new URL(answerAddress).origin}/saml/${answerAddress.split('/').at(-1)}`
  const sp = samlify.ServiceProvider({
    ...{ entityID, wantAssertionsSigned: true },
    assertionConsumerService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', Location: answerAddress }],
  })
  const query = Object.fromEntries(new URL(address).searchParams)
  const request = await idp.parseLoginRequest(sp, 'redirect', { query })
  const requestId = request.extract.request.id
  const at = Date.now() + (answer.clock ?? 0)
  const attributes = Object.entries(answer.attributes ?? {}).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${escaped(value)}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  )
  const values: Record<string, string> = {
    ...{
      issuer: answer.issuer ?? issuer,
      recipient: answer.recipient ?? answerAddress,
      nameId: answer.nameId ?? 'u-1',
    },
    ...{ audience: answer.audience ?? entityID, inResponseTo: answer.inResponseTo ?? requestId },
    format: answer.format ?? persistent,
    now: new Date(at).toISOString(),
    until: new Date(at + 60_000).toISOString(),
    attributes:
      attributes.length === 0 ? '' : `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`,
  }
  const { context } = await idp.createLoginResponse(
    sp,
    request,
    'post',
    {},
    {
      customTagReplacement: (text: string) => ({
        id: '_response',
        context: text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
      }),
    },
  )
  return { response: context, state: query['RelayState'] ?? '', requestId }
}

/** What the provider is called, and where it is asked. */
export const samlIssuer = { issuer, entryPoint: `${issuer}/sso` }
