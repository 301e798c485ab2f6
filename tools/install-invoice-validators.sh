#!/bin/sh
# Installs phive and Mustang, which validate e-invoices with the published artefacts, for `npm run check:invoices`:
# sh tools/install-invoice-validators.sh [--prefix <folder>]
# Installs into /usr/local as root, else into ~/.local, as the commands quire-phive and quire-mustang, which read files'
# names from standard input (verification/invoices/README.md). Needs JDK 17 or later (javac, for the installation only),
# and curl or wget. Downloads 75 MB from Maven Central, or from the mirror at MAVEN_CENTRAL_URL. May be run again;
# existing files stay. For checks only: they are separate programs and no part of the product.
set -eu

if [ "$(id -u)" -eq 0 ]; then prefix=/usr/local; else prefix="${HOME:?}/.local"; fi
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix) prefix=${2:?--prefix needs a folder}; shift 2 ;;
    --prefix=*) prefix=${1#--prefix=}; shift ;;
    -h|--help) sed -n '2,7s/^# //p' "$0"; exit 0 ;;
    *) echo "unknown argument: $1 (known: --prefix)" >&2; exit 2 ;;
  esac
done
tools=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tools/maven-central.sh
. "$tools/maven-central.sh"
# The prefix is written into the launchers, where a shell would interpret other characters.
case "$prefix" in
  *[!A-Za-z0-9/._+@~-]*) echo "the prefix may contain only letters, digits and /._+@~-: $prefix" >&2; exit 2 ;;
esac
mkdir -p "$prefix/bin" "$prefix/share/invoice-validators"
prefix=$(cd "$prefix" && pwd)
home="$prefix/share/invoice-validators"

# install <command> <class> <classpath>: compiles the program and writes its launcher.
install_program() {
  source="$tools/../verification/invoices/validators/$2.java"
  if [ ! -f "$home/$2.class" ] || [ "$source" -nt "$home/$2.class" ]; then
    if ! command -v javac >/dev/null 2>&1; then
      echo 'installing the validators needs JDK 17 or later: apt-get install default-jdk-headless' >&2
      exit 1
    fi
    javac --release 17 -cp "$3" -d "$home" "$source"
  fi
  cat > "$prefix/bin/$1.new" <<EOF
#!/bin/sh
# Installed for checks by Quire's tools/install-invoice-validators.sh
exec java -Xmx\${INVOICE_VALIDATOR_HEAP:-2g} -cp $home:$3 $2 "\$@"
EOF
  chmod 755 "$prefix/bin/$1.new"
  mv "$prefix/bin/$1.new" "$prefix/bin/$1"
}

classpath=''
# Two lines for each jar: its checksum and its path in Maven Central. phive-rules-en16931 4.3.7 with -xrechnung and
# -zugferd 4.2.3, and what they need at run time (mvn dependency:copy-dependencies).
while read -r sha256 && read -r path; do
  fetch_jar "$path" "$sha256" "$home/${path##*/}"
  classpath="$classpath${classpath:+:}$home/${path##*/}"
done <<'EOF'
6f8d04bcb702b26ec4b748e8739ca27ab088034994d45ed1d708a583171dee0a
com/helger/cii/ph-cii-d16b/4.1.1/ph-cii-d16b-4.1.1.jar
8c7475e9cb099be5a08d8c62fa4b36116cc7079f165711def027ce38e17a23df
com/helger/cii/ph-cii-d22b/4.1.1/ph-cii-d22b-4.1.1.jar
7d1d3dc7b9604d4f3d0e524e66f225b23f53d9e0830356484b2bed6e28480fb3
com/helger/commons/ph-annotations/12.1.0/ph-annotations-12.1.0.jar
705e3b84ab6f9e685a6ab718e4266f86b4e80bc869611fafbec83f1676b05075
com/helger/commons/ph-base/12.1.0/ph-base-12.1.0.jar
08402581d4e5c2ac4cf2c9de8ce73d61c04eb47ec43c60558def56a1bd407097
com/helger/commons/ph-cache/12.1.0/ph-cache-12.1.0.jar
9da0c0015933d9d102f98a3534728d47c6d5d9b2117c2e59ff8dcf9c044bcd87
com/helger/commons/ph-collection/12.1.0/ph-collection-12.1.0.jar
9e3f80175d0e363b32f11df564da1c6aa6b52881d908491463292c8f27c9598c
com/helger/commons/ph-datetime/12.1.0/ph-datetime-12.1.0.jar
3c63234a1a15c467d70caa067e0ca85003c5b578084b754ccccda5f4bc2fbbaa
com/helger/commons/ph-diagnostics/12.2.5/ph-diagnostics-12.2.5.jar
e845b188084aafca7d34d0576482747bc99164934823584dafab0a773b99282c
com/helger/commons/ph-io/12.1.0/ph-io-12.1.0.jar
c61f9a77efc88aeaed2d1805a1755644c4c1091d304b3354013eb580d260bb32
com/helger/commons/ph-jaxb-adapter/12.1.0/ph-jaxb-adapter-12.1.0.jar
2db357e6fc5b281a9b9c97d33390bb3b1c318a165afe48972dc23bcc7f5ee993
com/helger/commons/ph-jaxb/12.2.5/ph-jaxb-12.2.5.jar
59bb887768f6b43c68cf3e8c54100017c20eab5e7841f3194a89ec6e8c8b8795
com/helger/commons/ph-mime/12.2.5/ph-mime-12.2.5.jar
f46fb82ea85174b8227ca12bcdf34ebe909e4c04d9743e214cecc9053df38810
com/helger/commons/ph-statistics/12.2.5/ph-statistics-12.2.5.jar
657bdb5b959f15a65e1a0d3b43f3b8335134d8ec264ca21e68fe0ba85d9e9cad
com/helger/commons/ph-text/12.2.5/ph-text-12.2.5.jar
fa2e1fd64d00be0fed0d494243ffec5683dca7e06fe9430d5e11d7d6e9cdc958
com/helger/commons/ph-typeconvert/12.1.0/ph-typeconvert-12.1.0.jar
b8f8254aacb4940f40c51606fc0774c632e1e0883a52ca4aeb403425b8f01b35
com/helger/commons/ph-xml/12.2.5/ph-xml-12.2.5.jar
822cd9fd68dc78612d2c7d21a37c2de3295b86f2261f292b78b44cd90d60d9c9
com/helger/diver/ph-diver-api/4.2.0/ph-diver-api-4.2.0.jar
2e71e8ae1beb776356e5e0f0990533100aa470b7aa133ae54c787e2dc975974b
com/helger/phive/phive-api/12.0.3/phive-api-12.0.3.jar
f6ed96b401ffdb473179982457a01d8d4f61d7122c6686b04836c78e72ed2b1b
com/helger/phive/phive-xml/12.0.3/phive-xml-12.0.3.jar
67396e2c9d52c065d9a91637acba5d293280f5a66ed2f642848def2c5983a918
com/helger/phive/rules/phive-rules-api/4.3.7/phive-rules-api-4.3.7.jar
842998fe45911442b711300ab251e46489a9a5e2ffc02ddefc4293f8784c2662
com/helger/phive/rules/phive-rules-en16931/4.3.7/phive-rules-en16931-4.3.7.jar
7a7903c18b8c7f4ffef20c45d0deb6b8d79f76ba13aff00b415f4a7e334025bb
com/helger/phive/rules/phive-rules-xrechnung/4.2.3/phive-rules-xrechnung-4.2.3.jar
15367d1513f6875b38e7d0e014237083599b911115fe01fd3977972eef102587
com/helger/phive/rules/phive-rules-zugferd/4.2.3/phive-rules-zugferd-4.2.3.jar
f1dba95dc9da757d10d9cc99134b0ae480e1b4203d5af36be39a52a79a164b40
com/helger/schematron/ph-schematron-api/9.1.1/ph-schematron-api-9.1.1.jar
a56799fba5ae0d131fd05d8989693de268d400bd8536ccd1ea6a26dfc77cd2bd
com/helger/schematron/ph-schematron-pure/9.1.1/ph-schematron-pure-9.1.1.jar
9aea001558d8f586ad1ce7d1db9b3dd9cbe97e52a824e5c65055b48a40f02c60
com/helger/schematron/ph-schematron-schxslt/9.1.1/ph-schematron-schxslt-9.1.1.jar
05a0c78ab72e95193ff4eea154fa0fd8bb70c006e569f3220f847b184911896f
com/helger/schematron/ph-schematron-schxslt2/9.1.1/ph-schematron-schxslt2-9.1.1.jar
ba73a3726aa564c06b56ad2e93f16212965e87412e58af76dd626a88f3fbad22
com/helger/schematron/ph-schematron-xslt/9.1.1/ph-schematron-xslt-9.1.1.jar
7317ddd448f58cdf4e550878d839be8d3324b410771ba462a35ced49ccb26a52
com/helger/ubl/ph-ubl21/10.2.0/ph-ubl21-10.2.0.jar
ec0e60be5265b09fac75a57a4b284244820c23f0481a1c75802ba4eb6338b0fd
com/helger/xsd/ph-xsds-ccts-cct-schemamodule/4.1.0/ph-xsds-ccts-cct-schemamodule-4.1.0.jar
d90bdb2359bbef63bd789af238fb135dd7ada0ba9722f4e2825cd210dada013c
com/helger/xsd/ph-xsds-xades132/4.1.0/ph-xsds-xades132-4.1.0.jar
b34b2670774e9de79653767fd667d86823261c153f706c2344889d0702f54e41
com/helger/xsd/ph-xsds-xades141/4.1.0/ph-xsds-xades141-4.1.0.jar
bb0b294bb1ab29632139eff15aeffc46321338bbab5e3b694c75d376266ec475
com/helger/xsd/ph-xsds-xml/4.1.0/ph-xsds-xml-4.1.0.jar
66590e38b0994d0fd6cd89b1588a3c96fad3a3c85494cf764783fe0c4acc9c3d
com/helger/xsd/ph-xsds-xmldsig/4.1.0/ph-xsds-xmldsig-4.1.0.jar
7fd6792361f4dd00f8c56af4a20cecc0066deea4a8f3dec38348af23fc2296ee
com/sun/istack/istack-commons-runtime/4.1.2/istack-commons-runtime-4.1.2.jar
c9db52100ce6c8aac95cc39075f95720d2e561b11f8051b81c121ad4effd7004
jakarta/activation/jakarta.activation-api/2.1.4/jakarta.activation-api-2.1.4.jar
c507ca69a8c6dd11bf4afeec9e0d412c4fa3933fffb0a84680ea5727e8472124
jakarta/xml/bind/jakarta.xml.bind-api/4.0.4/jakarta.xml.bind-api-4.0.4.jar
5e489b6c874c4119e003ff1403db523ee3a8959ec499f3de29e77245efccf216
jakarta/xml/bind/jakarta.xml.bind-api/4.0.5/jakarta.xml.bind-api-4.0.5.jar
4f4f21edab7b37f96ad59ae12a344d3510f1092ac46b6d81a4efa0120b73cb58
name/dmaus/schxslt/schxslt/1.10.1/schxslt-1.10.1.jar
10925a7355fff93221db9736026e3f6a3cc69168509aae4d81bdd50d8dcb813a
name/dmaus/schxslt/schxslt2/1.7/schxslt2-1.7.jar
8f3a9216a537367132293eacbba9df062eace8f8b16a184af59e2e4839d4cd41
net/sf/saxon/Saxon-HE/12.9/Saxon-HE-12.9.jar
a6bd35c538cf90fff941ad6258c40c08fca0b5c9c3f536c657114f27ce0527a7
org/eclipse/angus/angus-activation/2.0.3/angus-activation-2.0.3.jar
ebbd274207b4860d0dc6e2d44d6dbdb5945cede01222d2e50661d45f5d46c0f7
org/glassfish/jaxb/jaxb-core/4.0.6/jaxb-core-4.0.6.jar
1c0d57f8c25f9605d5a2f7ad0a87581893776ac85b00b101b2651258edaa9118
org/glassfish/jaxb/jaxb-runtime/4.0.6/jaxb-runtime-4.0.6.jar
fcc749785412ef3806fde1ce70f93ef5a0065dcc47fe449bc871db0795cb11af
org/glassfish/jaxb/txw2/4.0.6/txw2-4.0.6.jar
1fad6e6be7557781e4d33729d49ae1cdc8fdda6fe477bb0cc68ce351eafdfbab
org/jspecify/jspecify/1.0.0/jspecify-1.0.0.jar
44508fd1576500688c790b190acdd16fec4f8c79a3e0b900afd70503cf055f55
org/slf4j/slf4j-api/2.0.18/slf4j-api-2.0.18.jar
b0c487ad2f3e558be8d829c916d2458d10aca6a5bafa7a4d0524b70845e48a5c
org/xmlresolver/xmlresolver/5.3.3/xmlresolver-5.3.3-data.jar
1fe4d5b92f708dcdb82dbce12919e0171e6b5ca62c6dca6220483625098feb5f
org/xmlresolver/xmlresolver/5.3.3/xmlresolver-5.3.3.jar
EOF
install_program quire-phive PhiveValidator "$classpath"

mustang=org/mustangproject/validator/2.26.0/validator-2.26.0-shaded.jar
fetch_jar "$mustang" \
  23e9a985858e9926bd4d820634d7cf1dad418267fe3fa22df14ce2613c106057 "$home/${mustang##*/}"
install_program quire-mustang MustangValidator "$home/${mustang##*/}"

echo "the validators are at $prefix/bin/quire-phive and $prefix/bin/quire-mustang"
