"""Secrets of many shapes, made when asked for: none stands in a file, so that no scanner takes this for a leak.

`<U16>` in a form stands for sixteen capitals and digits; the other letters are in `_ALPHABETS`.
"""

import random
import re
import string

_ALPHABETS = {
    "U": string.ascii_uppercase + string.digits,
    "L": string.ascii_lowercase + string.digits,
    "A": string.ascii_letters + string.digits,
    "H": string.digits + "abcdef",
    "X": string.digits + "ABCDEF",
    "W": string.ascii_letters + string.digits + "_",
    "B": string.ascii_letters + string.digits + "+/",
    "D": string.digits,
    "T": string.ascii_uppercase + "234567",
    "a": string.ascii_letters,
}
_UUID = "<H8>-<H4>-<H4>-<H4>-<H12>"

FORMS = f"""
AWS access key id AKIA<U16>
temporary AWS key ASIA<U16>
aws_secret_access_key = <B40>
AWS_SECRET_ACCESS_KEY=<B40>
the AWS secret access key is <B40>
aws session token IQoJb3JpZ2lu<B200>
bedrock key ABSK<B109>=
amzn.mws.{_UUID}
Google API key AIza<W35>
Google client secret GOCSPX-<W28>
bearer ya29.<W60>
refresh token 1//0<W60>
gcs hmac GOOG1E<U56>
DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=<B86>==;EndpointSuffix=core.windows.net
Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=<B43>=
azure client secret <A3>8Q~<W34>
azure devops <A76>AZDO<A4>
https://acct.blob.core.windows.net/c?sv=2022-11-02&sig=<A40>%3D
https://b.s3.amazonaws.com/k?X-Amz-Credential=x&X-Amz-Signature=<H64>
dop_v1_<H64>
doo_v1_<H64>
HEROKU_API_KEY={_UUID}
HRKU-AA<W58>
CLOUDFLARE_API_TOKEN=<W40>
v1.0-<H24>-<H146>
Alibaba LTAI<A20>
tencent AKID<A32>
yandex AQVN<W36>
hetzner token: <A64>
linode token <H64>
VULTR_API_KEY=<U36>
scaleway SCW<U17>
ibm cloud api key: <W44>
<A14>.atlasv1.<W67>
pul-<H40>
hvs.<W90>
vault token s.<A24>
dp.pt.<A43>
dp.st.prd.<A40>
ops_eyJ<A250>
A3-<U6>-<U6>-<U5>-<U5>-<U5>-<U5>
tskey-auth-<A16>-<A32>
FlyV1 fm2_<B120>
nfp_<A36>
VERCEL_TOKEN=<A24>
vcp_<A56>
rnd_<A32>
sha256~<W43>
ghp_<A36>
gho_<A36>
ghu_<A36>
ghs_<A36>
ghr_<A76>
github_pat_<A22>_<A59>
glpat-<W20>
gldt-<W20>
glrt-<W20>
glcbt-<H2>_<W20>
glptt-<H40>
GR1348941<W20>
ATBB<A32>
ATATT3xFfGF0<W180>
ATCTT3xFfGN0<W180>
sgp_<H40>
npm_<A36>
//registry.npmjs.org/:_authToken={_UUID}
pypi-AgEIcHlwaS5vcmc<W150>
rubygems_<H48>
dckr_pat_<W27>
cio<A32>
oy2<L43>
AKCp<A69>
CLOJARS_<L60>
CCIPAT_<A22>_<H40>
bkua_<H40>
squ_<H40>
sqp_<H40>
API-<U26>
pnu_<A36>
SNYK_TOKEN={_UUID}
codecov token: {_UUID}
PMAK-<H24>-<H34>
xoxb-<D12>-<D13>-<A24>
xoxp-<D12>-<D12>-<D12>-<H32>
xoxe.xoxp-1-<A146>
xapp-1-A<U10>-<D13>-<H64>
https://hooks.slack.com/services/T<U10>/B<U10>/<A24>
https://discord.com/api/webhooks/<D18>/<W68>
discord bot token M<A23>.<W6>.<W38>
telegram bot <D10>:AA<W33>
https://x.webhook.office.com/webhookb2/{_UUID}@{_UUID}/IncomingWebhook/<H32>/{_UUID}
syt_<A10>_<A20>_<A6>
oauth:<L30>
EAAC<A180>
twitter AAAAAAAAAAAAAAAAAAAAAA<A80>
https://hooks.zapier.com/hooks/catch/<D7>/<L7>/
https://maker.ifttt.com/trigger/x/with/key/<W43>
SG.<W22>.<W43>
key-<H32>
<H32>-us14
<H32>-<H8>-<H8>
md-<W22>
xkeysib-<H64>-<A16>
re_<A8>_<A24>
mlsn.<H64>
postmark server token: {_UUID}
twilio auth token <H32>
SK<H32>
KEY0<X31>_<A22>
sk_live_<A24>
sk_test_<A99>
rk_live_<A24>
whsec_<A32>
sq0atp-<W22>
sq0csp-<W43>
EAAA<W60>
access_token$production$<L16>$<H32>
shpat_<H32>
shpss_<H32>
access-production-{_UUID}
rzp_live_<A14>
FLWSECK_TEST-<H32>-X
EZAK<H54>
duffel_live_<W43>
OPENAI_API_KEY=sk-<A48>
sk-proj-<W120>
sk-svcacct-<W120>
sk-admin-<W100>
sk-ant-api03-<W93>AA
sk-ant-oat01-<W93>AA
sk-or-v1-<H64>
deepseek sk-<H32>
hf_<a34>
gsk_<A52>
pplx-<A48>
xai-<A80>
r8_<A37>
MISTRAL_API_KEY=<A32>
COHERE_API_KEY=<A40>
tgp_v1_<W43>
fw_<A24>
csk-<L48>
nvapi-<W64>
lsv2_pt_<H32>_<H10>
sk-lf-{_UUID}
pcsk_<A6>_<A63>
sk_<H48>
pa-<W43>
jina_<H32><A27>
tvly-dev-<A32>
fc-<H32>
wandb key <H40>
rpa_<U42>
apify_api_<A36>
DD_API_KEY=<H32>
datadog app key: <H40>
NRAK-<U27>
<H36>NRAL
sntrys_eyJ<A120>
glsa_<A32>_<H8>
glc_eyJ<A100>
dt0c01.<U24>.<U64>
phx_<A43>
sdk-{_UUID}
dapi<H32>
sbp_<H40>
sb_secret_<W31>
pscale_tkn_<W43>
pscale_pw_<W43>
napi_<L64>
ntn_<A46>
secret_<A43>
lin_api_<A40>
pat<A14>.<H64>
figd_<W40>
sl.<W140>
1/<D16>:<H32>
pk_<D8>_<U32>
pat-na1-{_UUID}
Authorization: SSWS 00<W40>
OKTA_TOKEN=00<W40>
tfp_<A44>_<A14>
CFPAT-<W43>
sk.eyJ<A80>.<W22>
todoist API token is <H40>
eyJhbGciOiJIUzI1NiJ9.eyJ<A60>.<W43>
AGE-SECRET-KEY-1<U58>
xprv<A107>
$2b$12$<A53>
$6$<A16>$<A86>
otpauth://totp/Shop:bob?secret=<T32>&issuer=Shop
WIFI:T:WPA;S:Heron;P:<A12>;;
PrivateKey = <B43>=
wallet private key 0x<H64>
postgres://app:<A14>@db.internal:5432/shop
mongodb+srv://root:<A16>@cluster0.mongodb.net/x
redis://:<A20>@cache:6379/0
https://<A40>@github.com/team/shop.git
Authorization: Bearer <A40>
Authorization: Basic <A24>==
-H "X-API-Key: <A32>"
Cookie: sessionid=<L32>; theme=dark
machine ftp.shop.org login bob password <A10>
db.internal:5432:shop:app:<A12>
Server=tcp:sql,1433;User ID=sa;Password=<A14>;Encrypt=True
DB_PASSWORD=<A12>
spring.datasource.password=<A12>
"client_secret": "<A32>"
'apiKey': '<A24>',
password: "<A10>"
export MY_SERVICE_TOKEN=<A32>
SECRET_KEY = "<A50>"
curl -u admin:<A12> https://shop.org
mysql -u root -p<A12> shop
sshpass -p <A10> ssh bob@host
docker login -u bob --password <A14>
The API key for the weather service is <H32>
access token: <A40>
TOTP secret <T32>
""".strip().splitlines()


def made(form: str, seed: int) -> tuple[str, list[str]]:
    """The form with chance in it, and the pieces of chance that must not be left of it."""
    chance = random.Random(f"{seed} {form}")
    pieces: list[str] = []

    def piece(found: re.Match[str]) -> str:
        letters = "".join(chance.choices(_ALPHABETS[found[1]], k=int(found[2])))
        if len(letters) >= 10:
            pieces.append(letters)
        return letters

    return re.sub(r"<([A-Za-z])(\d+)>", piece, form), pieces


def pem(kind: str, separator: str = "\n", lines: int = 6) -> str:
    """A private key of this kind that opens nothing."""
    body = [made("<B64>", line)[0] for line in range(lines)]
    return separator.join([f"-----BEGIN {kind}-----", *body, f"-----END {kind}-----"])
