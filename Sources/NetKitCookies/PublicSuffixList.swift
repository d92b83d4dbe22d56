import NetKit

// Written by Tools/scripts/generate suffixes from Debian's publicsuffix 20230209.2326-1. Don't edit.

/// The public suffixes of two labels and more, as of 2023-02-09.
///
/// From https://publicsuffix.org/list, under the Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0).
enum PublicSuffixList {
    /// The suffixes in groups, which are in order of their bytes.
    ///
    /// A group is `@`, what follows the first label of its suffixes, and these first labels. `*` stands for any label; `!`
    /// marks one that it does not stand for.
    static let groups: StaticString = """
        @0emm.com * @aa.no gs @ac com drr edu gov mil net org @ac.at sth @academy official @ad nom
        @advisor.ws * @ae ac blogspot co gov mil net org sch @ae.flow.ch alp1 @aero
        accident-investigation accident-prevention aerobatic aeroclub aerodrome agents
        air-surveillance air-traffic-control aircraft airline airport airtraffic ambulance amusement
        association author ballooning broker caa cargo catering certification championship charter
        civilaviation club conference consultant consulting control council crew design dgca
        educator emergency engine engineer entertainment equipment exchange express federation
        flight fuel gliding government groundhandling group hanggliding homebuilt insurance journal
        journalist leasing logistics magazine maintenance media microlight modelling navigation
        parachuting paragliding passenger-association pilot press production recreation repbody res
        research rotorcraft safety scientist services show skydiving software student trader trading
        trainer union workinggroup works @af com edu gov net org @ag co com net nom org @ah.no gs
        @ai com net off org uwu @aichi.jp aisai ama anjo asuke chiryu chita fuso gamagori handa hazu
        hekinan higashiura ichinomiya inazawa inuyama isshiki iwakura kanie kariya kasugai kira
        kiyosu komaki konan kota mihama miyoshi nishio nisshin obu oguchi oharu okazaki owariasahi
        seto shikatsu shinshiro shitara tahara takahama tobishima toei togo tokai tokoname toyoake
        toyohashi toyokawa toyone toyota tsushima yatomi @ak.us cc k12 lib @akershus.no nes
        @akita.jp akita daisen fujisato gojome hachirogata happou higashinaruse honjo honjyo ikawa
        kamikoani kamioka katagami kazuno kitaakita kosaka kyowa misato mitane moriyoshi nikaho
        noshiro odate oga ogata semboku yokote yurihonjo @al blogspot com edu gov mil net org @al.us
        cc k12 lib @alces.network * @am blogspot co com commune neko net nyaa org radio
        @amazonaws.com s3 s3-ap-northeast-1 s3-ap-northeast-2 s3-ap-south-1 s3-ap-southeast-1
        s3-ap-southeast-2 s3-ca-central-1 s3-eu-central-1 s3-eu-west-1 s3-eu-west-2 s3-eu-west-3
        s3-external-1 s3-fips-us-gov-west-1 s3-sa-east-1 s3-us-east-2 s3-us-gov-west-1 s3-us-west-1
        s3-us-west-2 s3-website-ap-northeast-1 s3-website-ap-southeast-1 s3-website-ap-southeast-2
        s3-website-eu-west-1 s3-website-sa-east-1 s3-website-us-east-1 s3-website-us-west-1
        s3-website-us-west-2 us-east-1 @amune.org tele @ao co ed gv it og pb @aomori.jp aomori
        gonohe hachinohe hashikami hiranai hirosaki itayanagi kuroishi misawa mutsu nakadomari
        noheji oirase owani rokunohe sannohe shichinohe shingo takko towada tsugaru tsuruta
        @ap-northeast-2.amazonaws.com s3 s3-website @ap-south-1.amazonaws.com s3 s3-website @app
        bookonline clerk clerkstage deta easypanel edgecompute encr fireweb framer hasura loginline
        messerli netlify noop ondigitalocean onflashdrive platform0 run snowflake streamlit telebit
        typedream vercel web wnext @ar bet com coop edu gob gov int mil musica mutual net org senasa
        tur @ar.us cc k12 lib @arpa e164 in-addr ip6 iris uri urn @as gov @as.us cc k12 lib
        @aseinet.ne.jp user @asia cloudns @at 123webseite 12hp 2ix 4lima ac biz co futurehosting
        futuremailing gv info lima-city myspreadshop or priv @au act asn com conf edu gov id info
        net nsw nt org oz qld sa tas vic wa @aw com @awdev.ca * @ax be cat es eu gg mc us xy
        @axarnet.cloud es-1 @az biz com edu gov info int mil name net org pp pro @az.us cc k12 lib
        @azurecontainer.io * @azurestaticapps.net 1 2 centralus eastasia eastus2 westeurope westus2
        @ba blogspot com edu gov mil net org rs @backyards.banzaicloud.io * @banzai.cloud *
        @banzaicloud.io app @baremetal.scw.cloud fr-par-1 fr-par-2 nl-ams-1 @basketball aus nz @bb
        biz co com edu gov info net org store tv @bd * @be 123website ac blogspot myspreadshop
        webhosting @beebyte.io paas @beebyteapp.io sekd1 @beget.app * @bf gov @bg 0 1 2 3 4 5 6 7 8
        9 a b barsy blogspot c d e f g h i j k l m n o p q r s t u v w x y z @bh com edu gov net org
        @bi co com edu or org @bigv.io uk0 @biz activetrail cloudns dscloud dyndns for-better
        for-more for-some for-the jozi mmafan myftp no-ip orx selfip webhop @bj africa agro
        architectes assur avocats blogspot co com eco econo edu info loisirs money net org ote
        restaurant resto tourism univ @bm com edu gov net org @bn co com edu gov net org @bo
        academia agro arte blog bolivia ciencia com cooperativa democracia deporte ecologia economia
        edu empresa gob indigena industria info int medicina mil movimiento musica natural net
        nombre noticias org patria plurinacional politica profesional pueblo revista salud
        tecnologia tksat transporte tv web wiki @bounty-full.com alpha beta @br 9guacu abc adm adv
        agr aju am anani aparecida app arq art ato b barueri belem bhz bib bio blog bmd boavista bsb
        campinagrande campinas caxias cim cng cnt com contagem coop coz cri cuiaba curitiba def des
        det dev ecn eco edu emp enf eng esp etc eti far feira flog floripa fm fnd fortal fot foz fst
        g12 geo ggf goiania gov gru imb ind inf jab jampa jdf joinville jor jus leg lel log londrina
        macapa maceio manaus maringa mat med mil morena mp mus natal net niteroi not ntr odo ong org
        osasco palmas poa ppg pro psc psi pvh qsl radio rec recife rep ribeirao rio riobranco
        riopreto salvador sampa santamaria santoandre saobernardo saogonca seg sjc slg slz sorocaba
        srv taxi tc tec teo the tmp trd tur tv udi vet vix vlog wiki zlg @brendly.rs shop @bs com
        edu gov net org we @bt com edu gov net org @bu.no gs @build.run * @builder.code.com *
        @builders cloudsite @business co @buskerud.no nes @bw co org @by com gov mediatech mil
        mycloud of @bytemark.co.uk dh vm @bz com edu gov gsj net org za @bzz.dapps.earth * @ca ab
        barsy bc blogspot co gc mb myspreadshop nb nf nl no-ip ns nt nu on pe qc sk yk
        @ca-central-1.amazonaws.com s3 s3-website @ca.us cc k12 lib @cc cloudns csx fantasyleague
        ftpaccess game-server myphotos scrapping twmail @cd gov @cdn77.net r @cdn77.org c rsc @cf
        blogspot @ch 123website 12hp 2ix 4lima blogspot dnsking gotdns lima-city linkyard-cloud
        myspreadshop square7 @channelsdvr.net u @chiba.jp abiko asahi chonan chosei choshi chuo
        funabashi futtsu hanamigawa ichihara ichikawa ichinomiya inzai isumi kamagaya kamogawa
        kashiwa katori katsuura kimitsu kisarazu kozaki kujukuri kyonan matsudo midori mihama
        minamiboso mobara mutsuzawa nagara nagareyama narashino narita noda oamishirasato omigawa
        onjuku otaki sakae sakura shimofusa shirako shiroi shisui sodegaura sosa tako tateyama
        togane tohnosho tomisato urayasu yachimata yachiyo yokaichiba yokoshibahikari yotsukaido @ci
        ac asso co com ed edu fin go gouv int md net nl or org presse xn--aroport-bya @ck !www * @cl
        blogspot co gob gov mil @cldmail.ru hb @cloud diadem elementor jele jotelulu keliweb
        kuleuven linkyard oxa perspecta primetel ravendb trafficplex urown vapor voorloper
        @cloud.metacentrum.cz * @cloud.muni.cz flt usr @cloud9.af-south-1.amazonaws.com vfs
        webview-assets @cloud9.ap-east-1.amazonaws.com vfs webview-assets
        @cloud9.ap-northeast-1.amazonaws.com vfs webview-assets @cloud9.ap-northeast-2.amazonaws.com
        vfs webview-assets @cloud9.ap-northeast-3.amazonaws.com vfs webview-assets
        @cloud9.ap-south-1.amazonaws.com vfs webview-assets @cloud9.ap-southeast-1.amazonaws.com vfs
        webview-assets @cloud9.ap-southeast-2.amazonaws.com vfs webview-assets
        @cloud9.ca-central-1.amazonaws.com vfs webview-assets @cloud9.eu-central-1.amazonaws.com vfs
        webview-assets @cloud9.eu-north-1.amazonaws.com vfs webview-assets
        @cloud9.eu-south-1.amazonaws.com vfs webview-assets @cloud9.eu-west-1.amazonaws.com vfs
        webview-assets @cloud9.eu-west-2.amazonaws.com vfs webview-assets
        @cloud9.eu-west-3.amazonaws.com vfs webview-assets @cloud9.me-south-1.amazonaws.com vfs
        webview-assets @cloud9.sa-east-1.amazonaws.com vfs webview-assets
        @cloud9.us-east-1.amazonaws.com vfs webview-assets @cloud9.us-east-2.amazonaws.com vfs
        webview-assets @cloud9.us-west-1.amazonaws.com vfs webview-assets
        @cloud9.us-west-2.amazonaws.com vfs webview-assets @cloudapps.digital london @cloudera.site
        * @cloudjiffy.net fra1-de west1-us @cloudlets.com.au mel @cloudplatform.fi fi @club barsy
        cloudns jele @cm co com gov net @cn ac ah bj canva-apps com cq edu fj gd gov gs gx gz ha hb
        he hi hk hl hn instantcloud jl js jx ln mil mo net nm nx org qh sc sd sh sn sx tj tw xj
        xn--55qx5d xn--io0a7i xn--od0alg xz yn zj @cn-north-1.amazonaws.com.cn s3 @cns.joyent.com *
        @co arts carrd com crd edu firewalledreplit firm gov info int leadpages lpages mil mypi n4t
        net nom org rec repl supabase web @co.at blogspot @co.id blogspot @co.il blogspot mytabit
        ravpage tabitorder @co.im ltd plc @co.ke blogspot @co.nz blogspot @co.uk adimo barsy
        barsyonline blogspot myspreadshop nh-serv no-ip wellbeingzone @co.us cc k12 lib @co.za
        blogspot @code.run * @com 001www 1kapp 3utilities 4u adobeaemcloud africa airkitapps
        airkitapps-au aivencloud alpha-myqnapcloud amscompute appchizi applinzi appspacehosted
        appspaceusercontent appspot ar authgear-staging authgearapps awsglobalaccelerator awsmppl
        balena-devices barsycenter barsyonline betainabox blogdns blogspot blogsyte bloxcms
        bounty-full boutir bplaced br builtwithdark cafjs canva-apps cechire cf-ipfs ciscofreak
        clicketcloud cloudcontrolapp cloudcontrolled cloudflare-ipfs cn co codespot damnserver
        dattolocal dattorelay dattoweb ddns5 ddnsfree ddnsgeek ddnsking ddnslive de dev-myqnapcloud
        discordsays discordsez ditchyourip dnsalias dnsdojo dnsiskinky doesntexist dontexist doomdns
        dopaas drayddns dreamhosters dsmynas dyn-o-saur dynalias dyndns-at-home dyndns-at-work
        dyndns-blog dyndns-free dyndns-home dyndns-ip dyndns-mail dyndns-office dyndns-pics
        dyndns-remote dyndns-server dyndns-web dyndns-wiki dyndns-work dynns elasticbeanstalk
        encoreapi est-a-la-maison est-a-la-masion est-le-patron est-mon-blogueur eu familyds
        fastly-edge fastly-terrarium fastvps-server firebaseapp firewall-gateway fldrv forgeblocks
        framercanvas freebox-os freeboxos freemyip from-ak from-al from-ar from-ca from-ct from-dc
        from-de from-fl from-ga from-hi from-ia from-id from-il from-in from-ks from-ky from-ma
        from-md from-mi from-mn from-mo from-ms from-mt from-nc from-nd from-ne from-nh from-nj
        from-nm from-nv from-oh from-ok from-or from-pa from-pr from-ri from-sc from-sd from-tn
        from-tx from-ut from-va from-vt from-wa from-wi from-wv from-wy geekgalaxy gentapps
        gentlentapis getmyip giize githubusercontent gleeze googleapis googlecode gotdns gotpantheon
        gr health-carereform herokuapp herokussl hidora hk hobby-site homelinux homesecuritymac
        homesecuritypc homeunix hostedpi hotelwithflight hu iamallama impertrix impertrixcdn
        is-a-anarchist is-a-blogger is-a-bookkeeper is-a-bulls-fan is-a-caterer is-a-chef
        is-a-conservative is-a-cpa is-a-cubicle-slave is-a-democrat is-a-designer is-a-doctor
        is-a-financialadvisor is-a-geek is-a-green is-a-guru is-a-hard-worker is-a-hunter
        is-a-landscaper is-a-lawyer is-a-liberal is-a-libertarian is-a-llama is-a-musician
        is-a-nascarfan is-a-nurse is-a-painter is-a-personaltrainer is-a-photographer is-a-player
        is-a-republican is-a-rockstar is-a-socialist is-a-student is-a-teacher is-a-techie
        is-a-therapist is-an-accountant is-an-actor is-an-actress is-an-anarchist is-an-artist
        is-an-engineer is-an-entertainer is-certified is-gone is-into-anime is-into-cars
        is-into-cartoons is-into-games is-leet is-not-certified is-slick is-uberleet is-with-theband
        isa-geek isa-hockeynut issmarterthanyou it jdevcloud jpn kasserver kilatiron kozow kr
        ktistory likes-pie likescandy logoip loseyourip lpusercontent mazeplay messwithdns meteorapp
        mex miniserver myactivedirectory myasustor mydatto mydobiss mydrobo myiphost myqnapcloud
        mysecuritycamera myshopblocks myshopify myspreadshop mytabit mytuleap myvnc neat-url
        net-freaks nfshost no on-aptible onfabrica onrender onthewifi ooguy operaunite orsites
        outsystemscloud ownprovider pagefrontapp pagespeedmobilizer pagexl pgfog pixolino
        platter-app playstation-cloud pleskns point2this postman-echo publishproxy pythonanywhere
        qa2 qbuser qc qualifioapp quicksytes rackmaze remotewd reservd reserve-online rhcloud ru sa
        saves-the-whales scrysec securitytactics selfip sells-for-less sells-for-u servebbs
        servebeer servecounterstrike serveexchange serveftp servegame servehalflife servehttp
        servehumour serveirc servemp3 servep2p servepics servequake servesarcasm shopitsite siiites
        simple-url simplesite sinaapp skygearapp smushcdn space-to-rent stackhero-network
        streamlitapp stufftoread teaches-yoga temp-dns theworkpc thingdustdata townnews-staging
        try-snowplow trycloudflare tuleap-partners uk unusualperson us uy vipsinaapp wafflecell
        withgoogle withyoutube wixsite woltlab-demo workisboring wpdevcloud wpenginepowered
        wphostedmail wpmucdn writesthisblog xnbay yolasite za @com.ar blogspot @com.au blogspot
        myspreadshop @com.br blogspot simplesite @com.by blogspot @com.co blogspot @com.cy blogspot
        @com.ee blogspot @com.eg blogspot @com.es blogspot @com.mt blogspot @com.ng blogspot @com.tr
        blogspot @com.tw mymailer @com.uy blogspot @community myforum nog ravendb
        @compute-1.amazonaws.com * @compute.amazonaws.com * @compute.amazonaws.com.cn *
        @compute.estate * @cool de elementor @cosidns.de dyn @cr ac co ed fi go or sa
        @cryptonomic.net * @ct.us cc k12 lib @cu com edu gov inf net org @customer-oci.com * @cv
        blogspot com edu int nome org @cw com edu net org @cx ath gov info @cy ac biz com ekloges
        gov ltd mil net org press pro tm @cz blogspot co e4 realm @daplie.me localhost @dappnode.io
        dyndns @dapps.earth * @database.run * @datacenter.fi demo paas @datadetect.com demo instance
        @dc.us cc k12 lib @ddnss.de dyn dyndns @de 123webseite 12hp 2ix 4lima barsy blogspot bplaced
        com community-pro dd-dns ddnss diskussionsbereich dnshome dnsupdater dray-dns draydns
        dyn-berlin dyn-ip24 dyn-vpn dynamisches-dns dyndns1 dynvpn firewall-gateway fuettertdasnetz
        git-repos goip home-webserver in-berlin in-brb in-butter in-dsl in-vpn internet-dns
        iservschule isteingeek istmein keymachine l-o-g-i-n lcube-server lebtimnetz leitungsen
        lima-city logoip mein-iserv mein-vigor my-gateway my-router my-vigor my-wan myhome-server
        myspreadshop schulplattform schulserver spdns square7 svn-repos syno-ds synology-diskstation
        synology-ds taifun-dns test-iserv traeumtgerade virtual-user virtualuser
        xn--gnstigbestellen-zvb xn--gnstigliefern-wob @de.us cc k12 lib @design bss @dev autocode
        curv deno deno-staging deta fly githubpreview iserv loginline mediatech pages platter-app r2
        shiftcrypto vercel workers @dev-builder.code.com * @dev.adobeaemcloud.com *
        @dev.thingdust.io cust reservd @devcdnaccesso.com * @developer.app * @digital cloudapps
        @digitaloceanspaces.com * @diher.solutions * @disrec.thingdust.io cust reservd @dk
        123hjemmeside biz blogspot co firm myspreadshop reg store @dm com edu gov net org
        @dnstrace.pro bci @do art com edu gob gov mil net org sld web @dogado.eu jelastic
        @dualstack.ap-northeast-1.amazonaws.com s3 @dualstack.ap-northeast-2.amazonaws.com s3
        @dualstack.ap-south-1.amazonaws.com s3 @dualstack.ap-southeast-1.amazonaws.com s3
        @dualstack.ap-southeast-2.amazonaws.com s3 @dualstack.ca-central-1.amazonaws.com s3
        @dualstack.eu-central-1.amazonaws.com s3 @dualstack.eu-west-1.amazonaws.com s3
        @dualstack.eu-west-2.amazonaws.com s3 @dualstack.eu-west-3.amazonaws.com s3
        @dualstack.sa-east-1.amazonaws.com s3 @dualstack.us-east-1.amazonaws.com s3
        @dualstack.us-east-2.amazonaws.com s3 @dweb.link * @dyndns.org go home @dz art asso com edu
        gov net org pol soc tm @eb.amazonaws.com.cn cn-north-1 cn-northwest-1 @ec base com edu fin
        gob gov info k12 med mil net official org pro @edu.au act catholic nsw nt qld sa tas vic wa
        @education co @ee aip com edu fie gov lib med org pri riik @eg com edu eun gov mil name net
        org sci @ehime.jp ainan honai ikata imabari iyo kamijima kihoku kumakogen masaki matsuno
        matsuyama namikata niihama ozu saijo seiyo shikokuchuo tobe toon uchiko uwajima yawatahama
        @elasticbeanstalk.com ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-southeast-1
        ap-southeast-2 ca-central-1 eu-central-1 eu-west-1 eu-west-2 eu-west-3 sa-east-1 us-east-1
        us-east-2 us-gov-west-1 us-west-1 us-west-2 @elastx.net jls-sto1 jls-sto2 jls-sto3
        @elb.amazonaws.com * @elb.amazonaws.com.cn * @encoway.cloud eu @enscaled.us phx @er * @es
        123miweb com edu gob myspreadshop nom org @et biz com edu gov info name net org @eu
        airkitapps barsy cloudns diskstation mycd spdns wellbeingzone @eu-central-1.amazonaws.com s3
        s3-website @eu-west-2.amazonaws.com s3 s3-website @eu-west-3.amazonaws.com s3 s3-website
        @eu.org al asso at au be bg ca cd ch cn cy cz de dk edu ee es fi fr gr hr hu ie il in int is
        it jp kr lt lu lv mc me mk mt my net ng nl no nz paris pl pt q-a ro ru se si sk tr uk us
        @eur.aruba.jenv-aruba.cloud it1 @evennode.com eu-1 eu-2 eu-3 eu-4 us-1 us-2 us-3 us-4
        @events co koobin @ex.futurecms.at * @ex.ortsinfo.at * @faith ybo @farm storj @fastly.net
        freetls map @fastlylb.net map @fbsbx.com apps @fedoraproject.org cloud @fi 123kotisivu aland
        blogspot dy iki kapsi myspreadshop xn--hkkinen-5wa @financial co @firenet.ch *
        @firewalledreplit.co id @fj ac biz com gov info mil name net org pro @fk * @fl.us cc k12 lib
        @flow.ch appengine @fm com edu net org radio @fm.no gs @fnc.fr-par.scw.cloud functions
        @forgerock.io id @fr 123siteweb aeroport asso avocat avoues blogspot cci chambagri
        chirurgiens-dentistes chirurgiens-dentistes-en-france com dedibox en-root experts-comptables
        fbx-os fbxos freebox-os freeboxos geometre-expert goupile gouv greta huissier-justice
        medecin myspreadshop nom notaires on-web pharmacien port prd tm veterinaire ynh
        @fr-par.scw.cloud fnc k8s s3 s3-website whm @frusky.de * @fukui.jp echizen eiheiji fukui
        ikeda katsuyama mihama minamiechizen obama ohi ono sabae sakai takahama tsuruga wakasa
        @fukuoka.jp ashiya buzen chikugo chikuho chikujo chikushino chikuzen chuo dazaifu fukuchi
        hakata higashi hirokawa hisayama iizuka inatsuki kaho kasuga kasuya kawara keisen koga
        kurate kurogi kurume minami miyako miyama miyawaka mizumaki munakata nakagawa nakama nishi
        nogata ogori okagaki okawa oki omuta onga onojo oto saigawa sasaguri shingu shinyoshitomi
        shonai soeda sue tachiarai tagawa takata toho toyotsu tsuiki ukiha umi usui yamada yame
        yanagawa yukuhashi @fukushima.jp aizubange aizumisato aizuwakamatsu asakawa bandai date
        fukushima furudono futaba hanawa higashi hirata hirono iitate inawashiro ishikawa iwaki
        izumizaki kagamiishi kaneyama kawamata kitakata kitashiobara koori koriyama kunimi miharu
        mishima namie nango nishiaizu nishigo okuma omotego ono otama samegawa shimogo shirakawa
        showa soma sukagawa taishin tamakawa tanagura tenei yabuki yamato yamatsuri yanaizu yugawa
        @funkfeuer.at wien @futurecms.at * @ga.us cc k12 lib @gateway.dev * @gd edu gov @gdn cnpy
        @ge com edu gov mil net org pvt @gg co cya kaas net org panel @gh com edu gov mil org @gi
        com edu gov ltd mod org @gifu.jp anpachi ena gifu ginan godo gujo hashima hichiso hida
        higashishirakawa ibigawa ikeda kakamigahara kani kasahara kasamatsu kawaue kitagata mino
        minokamo mitake mizunami motosu nakatsugawa ogaki sakahogi seki sekigahara shirakawa tajimi
        takayama tarui toki tomika wanouchi yamagata yaotsu yoro @gl biz co com edu net org xx @gn
        ac com edu gov net org @goog cloud translate @gov.au qld sa tas vic wa @gov.br ac al am ap
        ba ce df es go ma mg ms mt pa pb pe pi pr rj rn ro rr rs sc se sp to @gov.pl ap griw ic is
        kmpsp konsulat kppsp kwp kwpsp mup mw oirm oum pa pinb piw po psp psse pup rzgw sa sdn sko
        so sr starostwo ug ugim um umig upow uppo us uw uzs wif wiih winb wios witd wiw wsa wskr
        wuoz wzmiuw zp @gov.scot service @gov.uk api campaign homeoffice service @gp app asso com
        edu mobi net org @gr blogspot com edu gov net org simplesite @group discourse @gt blog com
        de edu gob ind mil net org to @gu com edu gov guam info net org web @gu.us cc k12 lib
        @gunma.jp annaka chiyoda fujioka higashiagatsuma isesaki itakura kanna kanra katashina
        kawaba kiryu kusatsu maebashi meiwa midori minakami naganohara nakanojo nanmoku numata
        oizumi ora ota shibukawa shimonita shinto showa takasaki takayama tamamura tatebayashi
        tomioka tsukiyono tsumagoi ueno yoshioka @gv.vc d @gy be co com edu gov net org @health hra
        @hedmark.no os valer xn--vler-qoa @her.name forgot @hi.us cc lib @hiroshima.jp asaminami
        daiwa etajima fuchu fukuyama hatsukaichi higashihiroshima hongo jinsekikogen kaita kui
        kumano kure mihara miyoshi naka onomichi osakikamijima otake saka sera seranishi shinichi
        shobara takehara @his.name forgot @hk blogspot com edu gov idv inc ltd net org secaas
        xn--55qx5d xn--ciqpn xn--gmq050i xn--gmqw5a xn--io0a7i xn--lcvr32d xn--mk0axi xn--mxtq1m
        xn--od0alg xn--od0aq3b xn--tn0ag xn--uc0atv xn--uc0ay4a xn--wcvs22d xn--zf0avx @hl.no gs
        @hm.no gs @hn cc com edu gob mil net org @hokkaido.jp abashiri abira aibetsu akabira akkeshi
        asahikawa ashibetsu ashoro assabu atsuma bibai biei bifuka bihoro biratori chippubetsu
        chitose date ebetsu embetsu eniwa erimo esan esashi fukagawa fukushima furano furubira
        haboro hakodate hamatonbetsu hidaka higashikagura higashikawa hiroo hokuryu hokuto honbetsu
        horokanai horonobe ikeda imakane ishikari iwamizawa iwanai kamifurano kamikawa kamishihoro
        kamisunagawa kamoenai kayabe kembuchi kikonai kimobetsu kitahiroshima kitami kiyosato
        koshimizu kunneppu kuriyama kuromatsunai kushiro kutchan kyowa mashike matsumae mikasa
        minamifurano mombetsu moseushi mukawa muroran naie nakagawa nakasatsunai nakatombetsu nanae
        nanporo nayoro nemuro niikappu niki nishiokoppe noboribetsu numata obihiro obira oketo
        okoppe otaru otobe otofuke otoineppu oumu ozora pippu rankoshi rebun rikubetsu rishiri
        rishirifuji saroma sarufutsu shakotan shari shibecha shibetsu shikabe shikaoi shimamaki
        shimizu shimokawa shinshinotsu shintoku shiranuka shiraoi shiriuchi sobetsu sunagawa taiki
        takasu takikawa takinoue teshikaga tobetsu tohma tomakomai tomari toya toyako toyotomi
        toyoura tsubetsu tsukigata urakawa urausu uryu utashinai wakkanai wassamu yakumo yoichi
        @home-webserver.de dyn @hordaland.no os @host cloudaccess easypanel fastvps freesite half
        jele mircloud myfast pcloud tempurl wpmudev @hosted-by-previder.com paas @hosteur.com
        rag-cloud rag-cloud-ch @hosting opencraft @hosting.myjino.ru * @hosting.ovh.net * @hr
        blogspot com free from iz name @ht adult art asso com coop edu firm gouv info med net org
        perso pol pro rel shop @hu 2000 agrar blogspot bolt casino city co erotica erotika film
        forum games hotel info ingatlan jogasz konyvelo lakas media news org priv reklam sex shop
        sport suli szex tm tozsde utazas video @hyogo.jp aioi akashi ako amagasaki aogaki asago
        ashiya awaji fukusaki goshiki harima himeji ichikawa inagawa itami kakogawa kamigori
        kamikawa kasai kasuga kawanishi miki minamiawaji nishinomiya nishiwaki ono sanda sannan
        sasayama sayo shingu shinonsen shiso sumoto taishi taka takarazuka takasago takino tamba
        tatsuno toyooka yabu yashiro yoka yokawa @ia.us cc k12 lib @ibaraki.jp ami asahi bando
        chikusei daigo fujishiro hitachi hitachinaka hitachiomiya hitachiota ibaraki ina inashiki
        itako iwama joso kamisu kasama kashima kasumigaura koga miho mito moriya naka namegata oarai
        ogawa omitama ryugasaki sakai sakuragawa shimodate shimotsuma shirosato sowa suifu takahagi
        tamatsukuri tokai tomobe tone toride tsuchiura tsukuba uchihara ushiku yachiyo yamagata
        yawara yuki @id ac biz co desa flap forte go mil my net or ponpes sch web @id.us cc k12 lib
        @ie blogspot gov myspreadshop @ik-server.com jcloud jcloud-ver-jpc @il ac co gov idf k12
        muni net org @il.us cc k12 lib @im ac co com net org ro tt tv @in 5g 6g ac ai am barsy bihar
        biz blogspot business ca cloudns cn co com coop cs delhi dr edu er firm gen gov gujarat ind
        info int internet io me mil net nic org pg post pro res supabase travel tv uk up us web
        @in.futurecms.at * @in.us cc k12 lib @info barrel-of-knowledge barrell-of-knowledge barsy
        cloudns dnsupdate dvrcam dynamic-dns dyndns for-our forumz groks-the groks-this
        here-for-more ilovecollege knowsitall mayfirst no-ip nsupdate selfip v-info webhop
        @instances.scw.cloud priv pub @int eu @interhostsolutions.be cloud @io 2038 apigee b-data
        backplaneapp barsy basicserver beagleboard bitbucket bluebite boxfuse browsersafetymark
        cleverapps com dedyn definima drud dyn53 editorx edugit fh-muenster ghost github gitlab
        hasura-app hostyhosting hzc jele loginline lolipop mo-siemens musician ngrok nid
        pantheonsite protonet pstmn qcx qoto readthedocs resindevice sandcats shiftcrypto shiftedit
        shw spacekit telebit tickets upli utwente vaporcloud virtualserver webthings wedeploy @iq
        com edu gov mil net org @ir ac co gov id net org sch xn--mgba3a4f16a xn--mgba3a4fra @is
        blogspot com cupcake edu gov int net org @ishikawa.jp anamizu hakui hakusan kaga kahoku
        kanazawa kawakita komatsu nakanoto nanao nomi nonoichi noto shika suzu tsubata tsurugi
        uchinada wajima @it 123homepage 16-b 32-b 64-b abr abruzzo ag agrigento al alessandria
        alto-adige altoadige an ancona andria-barletta-trani andria-trani-barletta
        andriabarlettatrani andriatranibarletta ao aosta aosta-valley aostavalley aoste ap aq aquila
        ar arezzo ascoli-piceno ascolipiceno asti at av avellino ba balsan balsan-sudtirol
        balsan-suedtirol bari barletta-trani-andria barlettatraniandria bas basilicata belluno
        benevento bergamo bg bi biella bl blogspot bn bo bologna bolzano bolzano-altoadige bozen
        bozen-sudtirol bozen-suedtirol br brescia brindisi bs bt bulsan bulsan-sudtirol
        bulsan-suedtirol bz ca cagliari cal calabria caltanissetta cam campania campidano-medio
        campidanomedio campobasso carbonia-iglesias carboniaiglesias carrara-massa carraramassa
        caserta catania catanzaro cb ce cesena-forli cesenaforli ch chieti ci cl cn co como cosenza
        cr cremona crotone cs ct cuneo cz dell-ogliastra dellogliastra edu emilia-romagna
        emiliaromagna emr en enna fc fe fermo ferrara fg fi firenze florence fm foggia forli-cesena
        forlicesena fr friuli-v-giulia friuli-ve-giulia friuli-vegiulia friuli-venezia-giulia
        friuli-veneziagiulia friuli-vgiulia friuliv-giulia friulive-giulia friulivegiulia
        friulivenezia-giulia friuliveneziagiulia friulivgiulia frosinone fvg ge genoa genova go
        gorizia gov gr grosseto ibxos iglesias-carbonia iglesiascarbonia iliadboxos im imperia is
        isernia kr la-spezia laquila laspezia latina laz lazio lc le lecce lecco li lig liguria
        livorno lo lodi lom lombardia lombardy lt lu lucania lucca macerata mantova mar marche
        massa-carrara massacarrara matera mb mc me medio-campidano mediocampidano messina mi milan
        milano mn mo modena mol molise monza monza-brianza monza-e-della-brianza monzabrianza
        monzaebrianza monzaedellabrianza ms mt myspreadshop na naples napoli no novara nu nuoro og
        ogliastra olbia-tempio olbiatempio or oristano ot pa padova padua palermo parma pavia pc pd
        pe perugia pesaro-urbino pesarourbino pescara pg pi piacenza piedmont piemonte pisa pistoia
        pmn pn po pordenone potenza pr prato pt pu pug puglia pv pz ra ragusa ravenna rc re
        reggio-calabria reggio-emilia reggiocalabria reggioemilia rg ri rieti rimini rm rn ro roma
        rome rovigo sa salerno sar sardegna sardinia sassari savona si sic sicilia sicily siena
        siracusa so sondrio sp sr ss suedtirol sv syncloud ta taa taranto te tempio-olbia
        tempioolbia teramo terni tn to torino tos toscana tp tr trani-andria-barletta
        trani-barletta-andria traniandriabarletta tranibarlettaandria trapani trentin-sud-tirol
        trentin-sudtirol trentin-sued-tirol trentin-suedtirol trentino trentino-a-adige
        trentino-aadige trentino-alto-adige trentino-altoadige trentino-s-tirol trentino-stirol
        trentino-sud-tirol trentino-sudtirol trentino-sued-tirol trentino-suedtirol trentinoa-adige
        trentinoaadige trentinoalto-adige trentinoaltoadige trentinos-tirol trentinostirol
        trentinosud-tirol trentinosudtirol trentinosued-tirol trentinosuedtirol trentinsud-tirol
        trentinsudtirol trentinsued-tirol trentinsuedtirol trento treviso trieste ts turin tuscany
        tv ud udine umb umbria urbino-pesaro urbinopesaro va val-d-aosta val-daosta vald-aosta
        valdaosta valle-aosta valle-d-aosta valle-daosta valleaosta valled-aosta valledaosta
        vallee-aoste vallee-d-aoste valleeaoste valleedaoste vao varese vb vc vda ve ven veneto
        venezia venice verbania vercelli verona vi vibo-valentia vibovalentia vicenza viterbo vr vs
        vt vv xn--balsan-sdtirol-nsb xn--bozen-sdtirol-2ob xn--bulsan-sdtirol-nsb
        xn--cesena-forl-mcb xn--cesenaforl-i8a xn--forl-cesena-fcb xn--forlcesena-c8a
        xn--sdtirol-n2a xn--trentin-sd-tirol-rzb xn--trentin-sdtirol-7vb xn--trentino-sd-tirol-c3b
        xn--trentino-sdtirol-szb xn--trentinosd-tirol-rzb xn--trentinosdtirol-7vb
        xn--trentinsd-tirol-6vb xn--trentinsdtirol-nsb xn--valle-aoste-ebb xn--valle-d-aoste-ehb
        xn--valleaoste-e7a xn--valledaoste-ebb @it.hs-heilbronn.de pages @iwate.jp fudai fujisawa
        hanamaki hiraizumi hirono ichinohe ichinoseki iwaizumi iwate joboji kamaishi kanegasaki
        karumai kawai kitakami kuji kunohe kuzumaki miyako mizusawa morioka ninohe noda ofunato oshu
        otsuchi rikuzentakata shiwa shizukuishi sumita tanohata tono yahaba yamada @jan-mayen.no gs
        @je co net of org @jelastic.cloud vip @jelastic.com demo @jelastic.open.tim.it cloud
        @jelastic.vps-host.net atl njs ric @jenv-aruba.cloud it1 @jm * @jo com edu gov mil name net
        org sch @jp ac ad aichi akita angry aomori babyblue babymilk backdrop bambina bitter
        blogspot blush boo boy boyfriend but buyshop candypop capoo catfood cheap chiba chicappa
        chillout chips chowder chu ciao co cocotte coolblog cranky cutegirl daa deca deci digick ed
        egoism ehime fakefur fashionstore fem flier floppy fool frenchkiss fukui fukuoka fukushima
        gifu girlfriend girly gloomy go gonna gr greater gunma hacca handcrafted heavy her hiho
        hippy hiroshima hokkaido holy hungry hyogo ibaraki icurus ishikawa itigo iwate jellybean
        kagawa kagoshima kanagawa kawaiishop kikirara kill kilo kochi kumamoto kuron kyoto lg
        littlestar lolipopmc lolitapunk lomo lovepop lovesick main mie miyagi miyazaki mods mond
        mongolian moo nagano nagasaki namaste nara ne niigata nikita nobushi noor oita okayama
        okinawa oops or osaka parallel parasite pecori peewee penne pepper perma pigboat pinoko
        punyu pupu pussycat pya raindrop readymade sadist saga saitama schoolbus secret shiga
        shimane shizuoka staba stripper sub sunnyday supersale theshop thick tochigi tokushima tokyo
        tonkotsu tottori toyama under upper usercontent velvet verse versus vivian wakayama watson
        weblike whitesnow xn--0trq7p7nn xn--1ctwo xn--1lqs03n xn--1lqs71d xn--2m4a15e xn--32vp30h
        xn--4it168d xn--4it797k xn--4pvxs xn--5js045d xn--5rtp49c xn--5rtq34k xn--6btw5a xn--6orx2r
        xn--7t0a264c xn--8ltr62k xn--8pvr4u xn--c3s14m xn--d5qv7z876c xn--djrs72d6uy xn--djty4k
        xn--efvn9s xn--ehqz56n xn--elqq16h xn--f6qx53a xn--k7yn95e xn--kbrq7o xn--klt787d xn--kltp7d
        xn--kltx9a xn--klty5x xn--mkru45i xn--nit225k xn--ntso0iqx3a xn--ntsq17g xn--pssu33l
        xn--qqqt11m xn--rht27z xn--rht3d xn--rht61e xn--rny31h xn--tor131o xn--uist22h xn--uisz3g
        xn--uuwu58a xn--vgu402c xn--zbx025d yamagata yamaguchi yamanashi zombie @k12.ma.us chtr
        paroch pvt @k8s.fr-par.scw.cloud nodes @k8s.nl-ams.scw.cloud nodes @k8s.pl-waw.scw.cloud
        nodes @kagawa.jp ayagawa higashikagawa kanonji kotohira manno marugame mitoyo naoshima
        sanuki tadotsu takamatsu tonosho uchinomi utazu zentsuji @kagoshima.jp akune amami hioki isa
        isen izumi kagoshima kanoya kawanabe kinko kouyama makurazaki matsumoto minamitane nakatane
        nishinoomote satsumasendai soo tarumizu yusui @kanagawa.jp aikawa atsugi ayase chigasaki
        ebina fujisawa hadano hakone hiratsuka isehara kaisei kamakura kiyokawa matsuda
        minamiashigara miura nakai ninomiya odawara oi oiso sagamihara samukawa tsukui yamakita
        yamato yokosuka yugawara zama zushi @kawasaki.jp !city * @kazteleport.kz upaas @ke ac co go
        info me mobi ne or sc @keliweb.cloud cs @kg blog com edu gov io jp mil net org tv uk us @kh
        * @ki biz com edu gov info net org @kitakyushu.jp !city * @km ass asso com coop edu gouv gov
        medecin mil nom notaires org pharmaciens prd presse tm veterinaire @kn edu gov net org
        @kobe.jp !city * @kochi.jp aki geisei hidaka higashitsuno ino kagami kami kitagawa kochi
        mihara motoyama muroto nahari nakamura nankoku nishitosa niyodogawa ochi okawa otoyo otsuki
        sakawa sukumo susaki tosa tosashimizu toyo tsuno umaji yasuda yusuhara @kp com edu gov org
        rep tra @kr ac blogspot busan chungbuk chungnam co daegu daejeon es gangwon go gwangju
        gyeongbuk gyeonggi gyeongnam hs incheon jeju jeonbuk jeonnam kg mil ms ne or pe re sc seoul
        ulsan @krd co edu @ks.us cc k12 lib @kuleuven.be ezproxy @kumamoto.jp amakusa arao aso choyo
        gyokuto kamiamakusa kikuchi kumamoto mashiki mifune minamata minamioguni nagasu nishihara
        oguni ozu sumoto takamori uki uto yamaga yamato yatsushiro @kunden.ortsinfo.at * @kw com edu
        emb gov ind net org @ky com edu net org @ky.us cc k12 lib @kyoto.jp ayabe fukuchiyama
        higashiyama ide ine joyo kameoka kamo kita kizu kumiyama kyotamba kyotanabe kyotango maizuru
        minami minamiyamashiro miyazu muko nagaokakyo nakagyo nantan oyamazaki sakyo seika tanabe
        uji ujitawara wazuka yamashina yawata @kz com edu gov jcloud mil net org @la bnr c com edu
        gov info int net org per @la.us cc k12 lib @lair.io apps @land static @landing.myjino.ru *
        @layershift.co.uk j @lb com edu gov net org @lc co com edu gov net org oy @lcl.dev *
        @lclstage.dev * @leg.br ac al am ap ba ce df es go ma mg ms mt pa pb pe pi pr rj rn ro rr rs
        sc se sp to @li blogspot caa @link cyon mypep @linode.com members @linodeobjects.com *
        @linodeusercontent.com ip @live hlx @lk ac assn com edu gov grp hotel int ltd net ngo org
        sch soc web @lmpm.com app @lol omg @lr com edu gov net org @ls ac biz co de edu gov info net
        org sc @lt blogspot gov @lu 123website blogspot @lv asn com conf edu gov id mil net org @ly
        com edu gov id med net org plc sch @ma ac co gov net org press @ma.us cc k12 lib
        @magentosite.cloud * @management router @massivegrid.com paas @mc asso tm @mcdir.ru vps @md
        at blogspot de jp to @md.us cc k12 lib @me ac barsy brasilia c66 co daplie ddns diskstation
        dnsfor dscloud edgestack edu filegear filegear-au filegear-de filegear-gb filegear-ie
        filegear-jp filegear-sg glitch gov hopto i234 its loginto lohmus mcdir mcpe myds net nohost
        noip org priv ravendb soundcast synology tcp4 vp4 webhop wedeploy yombo @me.us cc k12 lib
        @media framer @menu barsy @metacentrum.cz custom @meteorapp.com eu @mg co com edu gov mil
        nom org prd tm @mi.us ann-arbor cc cog dst eaton gen k12 lib mus tec washtenaw @mie.jp asahi
        inabe ise kameyama kawagoe kiho kisosaki kiwa komono kumano kuwana matsusaka meiwa mihama
        minamiise misugi miyama nabari shima suzuka tado taiki taki tamaki toba tsu udono ureshino
        watarai yokkaichi @migration.run * @miyagi.jp furukawa higashimatsushima ishinomaki iwanuma
        kakuda kami kawasaki marumori matsushima minamisanriku misato murata natori ogawara ohira
        onagawa osaki rifu semine shibata shichikashuku shikama shiogama shiroishi tagajo taiwa tome
        tomiya wakuya watari yamamoto zao @miyazaki.jp aya ebino gokase hyuga kadogawa kawaminami
        kijo kitagawa kitakata kitaura kobayashi kunitomi kushima mimata miyakonojo miyazaki
        morotsuka nichinan nishimera nobeoka saito shiiba shintomi takaharu takanabe takazaki tsuno
        @mk blogspot com edu gov inf name net org @ml com edu gouv gov net org presse @mm * @mn edu
        gov nyc org @mn.us cc k12 lib @mo com edu gov net org @mo.us cc k12 lib @mobi barsy dscloud
        @moonscale.io * @more-og-romsdal.no heroy sande @mp ju @mr blogspot gov @mr.no gs @ms com
        edu gov lab minisite net org @ms.us cc k12 lib @mt com edu net org @mt.us cc k12 lib @mu ac
        co com gov net or org @museum academy agriculture air airguard alabama alaska amber
        ambulance american americana americanantiques americanart amsterdam and annefrank anthro
        anthropology antiques aquarium arboretum archaeological archaeology architecture art
        artanddesign artcenter artdeco arteducation artgallery arts artsandcrafts asmatart
        assassination assisi association astronomy atlanta austin australia automotive aviation axis
        badajoz baghdad bahn bale baltimore barcelona baseball basel baths bauern beauxarts
        beeldengeluid bellevue bergbau berkeley berlin bern bible bilbao bill birdart birthplace
        bonn boston botanical botanicalgarden botanicgarden botany brandywinevalley brasil bristol
        british britishcolumbia broadcast brunel brussel brussels bruxelles building burghof bus
        bushey cadaques california cambridge can canada capebreton carrier cartoonart casadelamoneda
        castle castres celtic center chattanooga cheltenham chesapeakebay chicago children childrens
        childrensgarden chiropractic chocolate christiansburg cincinnati cinema circus civilisation
        civilization civilwar clinton clock coal coastaldefence cody coldwar collection
        colonialwilliamsburg coloradoplateau columbia columbus communication communications
        community computer computerhistory contemporary contemporaryart convent copenhagen
        corporation corvette costume countryestate county crafts cranbrook creation cultural
        culturalcenter culture cyber cymru dali dallas database ddr decorativearts delaware
        delmenhorst denmark depot design detroit dinosaur discovery dolls donostia durham eastafrica
        eastcoast education educational egyptian eisenbahn elburg elvendrell embroidery encyclopedic
        england entomology environment environmentalconservation epilepsy essex estate ethnology
        exeter exhibition family farm farmequipment farmers farmstead field figueres filatelia film
        fineart finearts finland flanders florida force fortmissoula fortworth foundation francaise
        frankfurt franziskaner freemasonry freiburg fribourg frog fundacio furniture gallery garden
        gateway geelvinck gemological geology georgia giessen glas glass gorge grandrapids graz
        guernsey halloffame hamburg handson harvestcelebration hawaii health heimatunduhren hellas
        helsinki hembygdsforbund heritage histoire historical historicalsociety historichouses
        historisch historisches history historyofscience horology house humanities illustration
        imageandsound indian indiana indianapolis indianmarket intelligence interactive iraq iron
        isleofman jamison jefferson jerusalem jewelry jewish jewishart jfk journalism judaica
        judygarland juedisches juif karate karikatur kids koebenhavn koeln kunst kunstsammlung
        kunstunddesign labor labour lajolla lancashire landes lans larsson lewismiller lincoln linz
        living livinghistory localhistory london losangeles louvre loyalist lucerne luxembourg
        luzern mad madrid mallorca manchester mansion mansions manx marburg maritime maritimo
        maryland marylhurst media medical medizinhistorisches meeres memorial mesaverde michigan
        midatlantic military mill miners mining minnesota missile missoula modern moma money
        monmouth monticello montreal moscow motorcycle muenchen muenster mulhouse muncie museet
        museumcenter museumvereniging music national nationalfirearms nationalheritage
        nativeamerican naturalhistory naturalhistorymuseum naturalsciences nature naturhistorisches
        natuurwetenschappen naumburg naval nebraska neues newhampshire newjersey newmexico newport
        newspaper newyork niepce norfolk north nrw nyc nyny oceanographic oceanographique omaha
        online ontario openair oregon oregontrail otago oxford pacific paderborn palace paleo
        palmsprings panama paris pasadena pharmacy philadelphia philadelphiaarea philately phoenix
        photography pilots pittsburgh planetarium plantation plants plaza portal portland portlligat
        posts-and-telecommunications preservation presidio press project public pubol quebec
        railroad railway research resistance riodejaneiro rochester rockart roma russia saintlouis
        salem salvadordali salzburg sandiego sanfrancisco santabarbara santacruz santafe
        saskatchewan satx savannahga schlesisches schoenbrunn schokoladen school schweiz science
        science-fiction scienceandhistory scienceandindustry sciencecenter sciencecenters
        sciencehistory sciences sciencesnaturelles scotland seaport settlement settlers shell
        sherbrooke sibenik silk ski skole society sologne soundandvision southcarolina southwest
        space spy square stadt stalbans starnberg state stateofdelaware station steam steiermark
        stjohn stockholm stpetersburg stuttgart suisse surgeonshall surrey svizzera sweden sydney
        tank tcm technology telekommunikation television texas textile theater time timekeeping
        topology torino touch town transport tree trolley trust trustee uhren ulm undersea
        university usa usantiques usarts uscountryestate usculture usdecorativearts usgarden
        ushistory ushuaia uslivinghistory utah uvic valley vantaa versailles viking village virginia
        virtual virtuel vlaanderen volkenkunde wales wallonie war washingtondc watch-and-clock
        watchandclock western westfalen whaling wildlife williamsburg windmill workshop
        xn--9dbhblg6di xn--comunicaes-v6a2o xn--correios-e-telecomunicaes-ghc29a xn--h1aegh
        xn--lns-qla york yorkshire yosemite youth zoological zoology @mv aero biz com coop edu gov
        info int mil museum name net org pro @mw ac biz co com coop edu gov int museum net org @mx
        blogspot com edu gob net org @my biz blogspot com edu gov mil name net org
        @mythic-beasts.com caracal customer fentiger lynx ocelot oncilla onza sphinx vs x yali @mz
        ac adv co edu gov mil net org @na ca cc co com dr in info mobi mx name or org pro school tv
        us ws @nabu.casa ui @nagano.jp achi agematsu anan aoki asahi azumino chikuhoku chikuma chino
        fujimi hakuba hara hiraya iida iijima iiyama iizuna ikeda ikusaka ina karuizawa kawakami
        kiso kisofukushima kitaaiki komagane komoro matsukawa matsumoto miasa minamiaiki minamimaki
        minamiminowa minowa miyada miyota mochizuki nagano nagawa nagiso nakagawa nakano nozawaonsen
        obuse ogawa okaya omachi omi ookuwa ooshika otaki otari sakae sakaki saku sakuho shimosuwa
        shinanomachi shiojiri suwa suzaka takagi takamori takayama tateshina tatsuno togakushi
        togura tomi ueda wada yamagata yamanouchi yasaka yasuoka @nagasaki.jp chijiwa futsu goto
        hasami hirado iki isahaya kawatana kuchinotsu matsuura nagasaki obama omura oseto saikai
        sasebo seihi shimabara shinkamigoto togitsu tsushima unzen @nagoya.jp !city * @nara.jp ando
        gose heguri higashiyoshino ikaruga ikoma kamikitayama kanmaki kashiba kashihara katsuragi
        kawai kawakami kawanishi koryo kurotaki mitsue miyake nara nosegawa oji ouda oyodo sakurai
        sango shimoichi shimokitayama shinjo soni takatori tawaramoto tenkawa tenri uda
        yamatokoriyama yamatotakada yamazoe yoshino @nc asso nom @nc.tr gov @nc.us cc k12 lib @nd.us
        cc lib @ne.jp gehirn @ne.us cc k12 lib @neen.it jc @net adobeaemcloud adobeio-static
        adobeioruntime akadns akamai akamai-staging akamaiedge akamaiedge-staging akamaihd
        akamaihd-staging akamaiorigin akamaiorigin-staging akamaized akamaized-staging alwaysdata
        appudo at-band-camp azure-mobile azurestaticapps azurewebsites bar0 bar1 bar2 barsy
        bitbridge blackbaudcdn blogdns boomla bounceme bplaced broke-it buyshouses casacam cdn-edges
        cdn77-ssl channelsdvr clickrising cloudaccess cloudapp cloudfront cloudfunctions cloudjiffy
        cloudycluster community-pro dattolocal ddns debian definima dnsalias dnsdojo dnsup does-it
        dontexist dsmynas dynalias dynathome dynu dynv6 eating-organic edgeapp edgekey
        edgekey-staging edgesuite edgesuite-staging endofinternet familyds fastlylb faststacks
        feste-ip firewall-gateway flynnhosting from-az from-co from-la from-ny gb gets-it
        ham-radio-op heteml hicam homeftp homeip homelinux homeunix hu in in-dsl in-the-band in-vpn
        iobb ipifony is-a-chef is-a-geek isa-geek jp kicks-ass kinghost knx-server krellian
        meinforum memset moonscale myamaze mydatto mydissent myeffect myfritz mymediapc mypsx
        mysecuritycamera myspreadshop nhlfan no-ip now-dns office-on-the onavstack ownip pgafan
        podzone privatizehealthinsurance rackmaze redirectme reserve-online ru schokokeks
        scrapper-site se seidat selfip sells-it senseering servebbs serveblog serveftp
        serveminecraft shopselect siteleaf square7 static-access supabase sytes t3l3p0rt thruhere
        torproject ts twmail uk uni5 vpndns vps-host webhop yandexcloud za @network arvo azimuth co
        tlon @news noticeable @nf arts com firm info net other per rec store web @ng col com edu
        firm gen gov i ltd mil mobi name net ngo org sch @nh.us cc k12 lib @ni ac biz co com edu gob
        in info int mil net nom org web @niigata.jp aga agano gosen itoigawa izumozaki joetsu kamo
        kariwa kashiwazaki minamiuonuma mitsuke muika murakami myoko nagaoka niigata ojiya omi sado
        sanjo seiro seirou sekikawa shibata tagami tainai tochio tokamachi tsubame tsunan uonuma
        yahiko yoita yuzawa @nj.us cc k12 lib @nl 123website blogspot cistron co demon gov
        hosting-cluster khplay myspreadshop @nl-ams.scw.cloud k8s s3 s3-website whm @nl.no gs @nm.us
        cc k12 lib @no 123hjemmeside aa aarborte aejrie afjord agdenes ah aknoluokta akrehamn al
        alaheadju alesund algard alstahaug alta alvdal amli amot andasuolo andebu andoy ardal
        aremark arendal arna aseral asker askim askoy askvoll asnes audnedaln aukra aure aurland
        aurskog-holand austevoll austrheim averoy badaddja bahcavuotna bahccavuotna baidar bajddar
        balat balestrand ballangen balsfjord bamble bardu barum batsfjord bearalvahki beardu beiarn
        berg bergen berlevag bievat bindal birkenes bjarkoy bjerkreim bjugn blogspot bodo bokn bomlo
        bremanger bronnoy bronnoysund brumunddal bryne bu budejju bygland bykle cahcesuolo co
        davvenjarga davvesiida deatnu dep dielddanuorri divtasvuodna divttasvuotna donna dovre
        drammen drangedal drobak dyroy egersund eid eidfjord eidsberg eidskog eidsvoll eigersund
        elverum enebakk engerdal etne etnedal evenassi evenes evje-og-hornnes farsund fauske fedje
        fet fetsund fhs finnoy fitjar fjaler fjell fla flakstad flatanger flekkefjord flesberg flora
        floro fm folkebibl folldal forde forsand fosnes frana fredrikstad frei frogn froland frosta
        froya fuoisku fuossko fusa fylkesbibl fyresdal gaivuotna galsa gamvik gangaviika gaular
        gausdal giehtavuoatna gildeskal giske gjemnes gjerdrum gjerstad gjesdal gjovik gloppen gol
        gran grane granvin gratangen grimstad grong grue gulen guovdageaidnu ha habmer hadsel
        hagebostad halden halsa hamar hamaroy hammarfeasta hammerfest hapmir haram hareid harstad
        hasvik hattfjelldal haugesund hemne hemnes hemsedal herad hitra hjartdal hjelmeland hl hm
        hobol hof hokksund hol hole holmestrand holtalen honefoss hornindal horten hoyanger
        hoylandet hurdal hurum hvaler hyllestad ibestad idrett inderoy iveland ivgu jan-mayen
        jessheim jevnaker jolster jondal jorpeland kafjord karasjohka karasjok karlsoy karmoy
        kautokeino kirkenes klabu klepp kommune kongsberg kongsvinger kopervik kraanghke kragero
        kristiansand kristiansund krodsherad krokstadelva kvafjord kvalsund kvam kvanangen kvinesdal
        kvinnherad kviteseid kvitsoy laakesvuemie lahppi langevag lardal larvik lavagis lavangen
        leangaviika lebesby leikanger leirfjord leirvik leka leksvik lenvik lerdal lesja levanger
        lier lierne lillehammer lillesand lindas lindesnes loabat lodingen lom loppa lorenskog loten
        lund lunner luroy luster lyngdal lyngen malatvuopmi malselv malvik mandal marker marnardal
        masfjorden masoy matta-varjjat meland meldal melhus meloy meraker midsund midtre-gauldal mil
        mjondalen mo-i-rana moareke modalen modum molde mosjoen moskenes moss mosvik mr muosat
        museum myspreadshop naamesjevuemie namdalseid namsos namsskogan nannestad naroy narviika
        narvik naustdal navuotna nedre-eiker nesna nesodden nesoddtangen nesseby nesset nissedal
        nittedal nl nord-aurdal nord-fron nord-odal norddal nordkapp nordre-land nordreisa
        nore-og-uvdal notodden notteroy nt odda of oksnes ol omasvuotna oppdal oppegard orkanger
        orkdal orland orskog orsta osen oslo osoyro osteroy ostre-toten overhalla ovre-eiker oyer
        oygarden oystre-slidre porsanger porsangu porsgrunn priv rade radoy rahkkeravju raholt raisa
        rakkestad ralingen rana randaberg rauma rendalen rennebu rennesoy rindal ringebu ringerike
        ringsaker risor rissa rl roan rodoy rollag romsa romskog roros rost royken royrvik ruovat
        rygge salangen salat saltdal samnanger sandefjord sandnes sandnessjoen sandoy sarpsborg
        sauda sauherad sel selbu selje seljord sf siellak sigdal siljan sirdal skanit skanland skaun
        skedsmo skedsmokorset ski skien skierva skiptvet skjak skjervoy skodje slattum smola snaase
        snasa snillfjord snoasa sogndal sogne sokndal sola solund somna sondre-land songdalen
        sor-aurdal sor-fron sor-odal sor-varanger sorfold sorreisa sortland sorum spjelkavik
        spydeberg st stange stat stathelle stavanger stavern steigen steinkjer stjordal
        stjordalshalsen stokke stor-elvdal stord stordal storfjord strand stranda stryn sula suldal
        sund sunndal surnadal svalbard sveio svelvik sykkylven tana tananger time tingvoll tinn
        tjeldsund tjome tm tokke tolga tonsberg torsken tr trana tranby tranoy troandin trogstad
        tromsa tromso trondheim trysil tvedestrand tydal tynset tysfjord tysnes tysvar ullensaker
        ullensvang ulvik unjarga utsira va vaapste vadso vaga vagan vagsoy vaksdal valle vang
        vanylven vardo varggat varoy vefsn vega vegarshei vennesla verdal verran vestby vestnes
        vestre-slidre vestre-toten vestvagoy vevelstad vf vgs vik vikna vindafjord voagat volda voss
        vossevangen xn--andy-ira xn--asky-ira xn--aurskog-hland-jnb xn--avery-yua xn--bdddj-mrabd
        xn--bearalvhki-y4a xn--berlevg-jxa xn--bhcavuotna-s4a xn--bhccavuotna-k7a xn--bidr-5nac
        xn--bievt-0qa xn--bjarky-fya xn--bjddar-pta xn--blt-elab xn--bmlo-gra xn--bod-2na
        xn--brnny-wuac xn--brnnysund-m8ac xn--brum-voa xn--btsfjord-9za xn--davvenjrga-y4a
        xn--dnna-gra xn--drbak-wua xn--dyry-ira xn--eveni-0qa01ga xn--finny-yua xn--fjord-lra
        xn--fl-zia xn--flor-jra xn--frde-gra xn--frna-woa xn--frya-hra xn--ggaviika-8ya47h
        xn--gildeskl-g0a xn--givuotna-8ya xn--gjvik-wua xn--gls-elac xn--h-2fa xn--hbmer-xqa
        xn--hcesuolo-7ya35b xn--hgebostad-g3a xn--hmmrfeasta-s4ac xn--hnefoss-q1a xn--hobl-ira
        xn--holtlen-hxa xn--hpmir-xqa xn--hyanger-q1a xn--hylandet-54a xn--indery-fya xn--jlster-bya
        xn--jrpeland-54a xn--karmy-yua xn--kfjord-iua xn--klbu-woa xn--koluokta-7ya57h
        xn--krager-gya xn--kranghke-b0a xn--krdsherad-m8a xn--krehamn-dxa xn--krjohka-hwab49j
        xn--ksnes-uua xn--kvfjord-nxa xn--kvitsy-fya xn--kvnangen-k0a xn--l-1fa xn--laheadju-7ya
        xn--langevg-jxa xn--ldingen-q1a xn--leagaviika-52b xn--lesund-hua xn--lgrd-poac
        xn--lhppi-xqa xn--linds-pra xn--loabt-0qa xn--lrdal-sra xn--lrenskog-54a xn--lt-liac
        xn--lten-gra xn--lury-ira xn--mely-ira xn--merker-kua xn--mjndalen-64a xn--mlatvuopmi-s4a
        xn--mli-tla xn--mlselv-iua xn--moreke-jua xn--mosjen-eya xn--mot-tla xn--msy-ula0h
        xn--mtta-vrjjat-k7af xn--muost-0qa xn--nmesjevuemie-tcba xn--nry-yla5g xn--nttery-byae
        xn--nvuotna-hwa xn--oppegrd-ixa xn--ostery-fya xn--osyro-wua xn--porsgu-sta26f xn--rady-ira
        xn--rdal-poa xn--rde-ula xn--rdy-0nab xn--rennesy-v1a xn--rhkkervju-01af xn--rholt-mra
        xn--risa-5na xn--risr-ira xn--rland-uua xn--rlingen-mxa xn--rmskog-bya xn--rros-gra
        xn--rskog-uua xn--rst-0na xn--rsta-fra xn--ryken-vua xn--ryrvik-bya xn--s-1fa
        xn--sandnessjen-ogb xn--sandy-yua xn--seral-lra xn--sgne-gra xn--skierv-uta xn--skjervy-v1a
        xn--skjk-soa xn--sknit-yqa xn--sknland-fxa xn--slat-5na xn--slt-elab xn--smla-hra
        xn--smna-gra xn--snase-nra xn--sndre-land-0cb xn--snes-poa xn--snsa-roa xn--sr-aurdal-l8a
        xn--sr-fron-q1a xn--sr-odal-q1a xn--sr-varanger-ggb xn--srfold-bya xn--srreisa-q1a
        xn--srum-gra xn--stjrdal-s1a xn--stjrdalshalsen-sqb xn--stre-toten-zcb xn--tjme-hra
        xn--tnsberg-q1a xn--trany-yua xn--trgstad-r1a xn--trna-woa xn--troms-zua xn--tysvr-vra
        xn--unjrga-rta xn--vads-jra xn--vard-jra xn--vegrshei-c0a xn--vestvgy-ixa6o xn--vg-yiab
        xn--vgan-qoa xn--vgsy-qoa0j xn--vre-eiker-k8a xn--vrggt-xqad xn--vry-yla5g xn--yer-zna
        xn--ygarden-p1a xn--ystre-slidre-ujb @nodeart.io stage @nodebalancer.linode.com * @nom.br *
        @nordland.no bo heroy xn--b-5ga xn--hery-ira @northflank.app * @nospamproxy.com cloud @np *
        @nr biz com edu gov info net org @nsw.edu.au schools @nt.no gs @nu enterprisecloud merseine
        mine shacknet @nv.us cc k12 lib @ny.us cc k12 lib @nz ac co cri geek gen govt health iwi
        kiwi maori mil net org parliament school xn--mori-qsa @observableusercontent.com static
        @oci.customer-oci.com * @ocp.customer-oci.com * @ocs.customer-oci.com * @of.no gs @oh.us cc
        k12 lib @oita.jp beppu bungoono bungotakada hasama hiji himeshima hita kamitsue kokonoe kuju
        kunisaki kusu oita saiki taketa tsukumi usa usuki yufu @ok.us cc k12 lib @okayama.jp akaiwa
        asakuchi bizen hayashima ibara kagamino kasaoka kibichuo kumenan kurashiki maniwa misaki
        nagi niimi nishiawakura okayama satosho setouchi shinjo shoo soja takahashi tamano tsuyama
        wake yakage @okinawa.jp aguni ginowan ginoza gushikami haebaru higashi hirara iheya ishigaki
        ishikawa itoman izena kadena kin kitadaito kitanakagusuku kumejima kunigami minamidaito
        motobu nago naha nakagusuku nakijin nanjo nishihara ogimi okinawa onna shimoji taketomi
        tarama tokashiki tomigusuku tonaki urasoe uruma yaese yomitan yonabaru yonaguni zamami
        @ol.no gs @om co com edu gov med museum net org pro @on-acorn.io * @on-k3s.io *
        @on-rancher.cloud * @on-rio.io * @one homelink onred service @online barsy eero eero-stage
        @onred.one staging @or.us cc k12 lib @orange tech @org accesscam ae altervista barsy blogdns
        blogsite bmoattachments boldlygoingnowhere cable-modem camdvr certmgr cloudns collegefan
        couchpotatofries ddnss diskstation dnsalias dnsdojo doesntexist dontexist doomdns dsmynas
        duckdns dvrdns dynalias dyndns dynserv endofinternet endoftheinternet eu familyds
        fedorainfracloud fedorapeople freeddns freedesktop from-me game-host gotdns hepforge hk
        hobby-site homedns homeftp homelinux homeunix hopto httpbin in-dsl in-vpn is-a-bruinsfan
        is-a-candidate is-a-celticsfan is-a-chef is-a-geek is-a-knight is-a-linux-user is-a-patsfan
        is-a-soxfan is-found is-lost is-saved is-very-bad is-very-evil is-very-good is-very-nice
        is-very-sweet isa-geek js kicks-ass mayfirst misconfused mlbfan mozilla-iot my-firewall
        myfirewall myftp mysecuritycamera mywire nflfan no-ip now-dns pimienta podzone poivron
        potager pubtls read-books readmyblog selfip sellsyourhome servebbs serveftp servegame
        small-web spdns stuff-4-sale sweetpepper toolforge tunk tuxfamily twmail ufcfan us webhop
        webredirect wmcloud wmflabs za zapto @org.uk affinitylottery glug lug lugs raffleentry
        weeklylottery @origin.cdn77-secure.org ssl @os.fedoraproject.org app
        @os.stg.fedoraproject.org app @osaka.jp abeno chihayaakasaka chuo daito fujiidera habikino
        hannan higashiosaka higashisumiyoshi higashiyodogawa hirakata ibaraki ikeda izumi izumiotsu
        izumisano kadoma kaizuka kanan kashiwara katano kawachinagano kishiwada kita kumatori
        matsubara minato minoh misaki moriguchi neyagawa nishi nose osakasayama sakai sayama sennan
        settsu shijonawate shimamoto suita tadaoka taishi tajiri takaishi takatsuki tondabayashi
        toyonaka toyono yao @oslo.no gs @ostfold.no valer @otap.co * @ovh nerdpol @owo.codes *
        @oxa.cloud tn uk @pa abo ac com edu gob ing med net nom org sld @pa.us cc k12 lib
        @paas.massivegrid.net fr-1 lon-1 lon-2 ny-1 ny-2 sg-1 @paba.se su @page codeberg hlx hlx3
        magnet pdns plesk prvcy rocky translated @panel.gg daemon @party ybo @party.eus user
        @paywhirl.com * @pe blogspot com edu gob mil net nom org @pf com edu org @pg * @ph com edu
        gov i mil net ngo org @photos framer @pictures 1337 @pk biz com edu fam gob gok gon gop gos
        gov info net org web @pl agro aid art atm augustow auto babia-gora bedzin beep beskidy
        bialowieza bialystok bielawa bieszczady biz boleslawiec bydgoszcz bytom cieszyn co com
        czeladz czest dlugoleka ecommerce-shop edu elblag elk gda gdansk gdynia gliwice glogow gmina
        gniezno gorlice gov grajewo gsm homesklep ilawa info jaworzno jelenia-gora jgora kalisz
        karpacz kartuzy kaszuby katowice kazimierz-dolny kepno ketrzyn klodzko kobierzyce kolobrzeg
        konin konskowola krakow krasnik kutno lapy lebork leczna legnica lezajsk limanowa lomza
        lowicz lubartow lubin lublin lukow mail malbork malopolska mazowsze mazury med media miasta
        mielec mielno mil mragowo myspreadshop naklo net nieruchomosci nom nowaruda nysa olawa
        olecko olkusz olsztyn opoczno opole org ostroda ostroleka ostrowiec ostrowwlkp pc pila pisz
        podhale podlasie polkowice pomorskie pomorze poniatowa powiat poznan priv prochowice
        pruszkow przeworsk pulawy radom rawa-maz realestate rel rybnik rzeszow sanok sdscloud sejny
        sex shop shoparena simplesite sklep skoczow slask slupsk sopot sos sosnowiec stalowa-wola
        starachowice stargard suwalki swidnica swidnik swiebodzin swinoujscie szczecin szczytno
        szkola targi tarnobrzeg tgory tm tourism travel turek turystyka tychy unicloud ustka
        walbrzych warmia warszawa waw wegrow wielun wlocl wloclawek wodzislaw wolomin wroc wroclaw
        zachpomor zagan zakopane zarow zgora zgorzelec @pl-waw.scw.cloud k8s s3 s3-website @place co
        @platform.sh bc ent eu us @platformsh.site * @pm name own @pn co edu gov net org @porn indie
        @pr ac biz com edu est gov info isla name net org pro prof @pr.us cc k12 lib @prgmr.com xen
        @primetel.cloud uk @pro aaa aca acct avocat bar barsy cloudns cpa eng jur law med recht
        @prod.atlassian-dev.net cdn @prod.fastly.net a global @prod.thingdust.io cust @ps com edu
        gov net org plo sec @pstmn.io mock @pt 123paginaweb blogspot com edu gov int net nome org
        publ @pub barsy @pw belau cloudns co ed go ne or x443 @py com coop edu gov mil net org
        @pythonanywhere.com eu @qa blogspot com edu gov mil name net org sch @quickconnect.cn direct
        @quickconnect.to direct @quipelements.com * @r.appspot.com * @re asso blogspot com nom
        @reclaim.cloud ca uk us @regruhosting.ru jelastic @render.com app @repl.co id
        @resinstaging.io devices @retrosnub.co.uk cust @review ybo @ri.us cc lib @rip clan @rit.edu
        git-pages @rl.no gs @ro arts barsy blogspot co com firm info nom nt org rec shop store tm
        www @rocks lima-city myddns webspace @rs ac blogspot co edu gov in org ox ua @rss.my.id *
        @ru 123sait ac adygeya bashkiria bir blogspot cbg com dagestan edu eurodir gov grozny int
        kalmykia kustanai lk3 marine mcdir mcpre mil mircloud mordovia msk myjino mytis na4u nalchik
        net nov org pp pyatigorsk ras spb test vladikavkaz vladimir @run development hs onporter
        ravendb repl servers @run.app a @rw ac co coop gov mil net org @s5y.io * @sa com edu gov med
        net org pub sch @saga.jp ariake arita fukudomi genkai hamatama hizen imari kamimine kanzaki
        karatsu kashima kitagata kitahata kiyama kouhoku kyuragi nishiarita ogi omachi ouchi saga
        shiroishi taku tara tosu yoshinogari @saitama.jp arakawa asaka chichibu fujimi fujimino
        fukaya hanno hanyu hasuda hatogaya hatoyama hidaka higashichichibu higashimatsuyama honjo
        ina iruma iwatsuki kamiizumi kamikawa kamisato kasukabe kawagoe kawaguchi kawajima kazo
        kitamoto koshigaya kounosu kuki kumagaya matsubushi minano misato miyashiro miyoshi moroyama
        nagatoro namegawa niiza ogano ogawa ogose okegawa omiya otaki ranzan ryokami saitama sakado
        satte sayama shiki shiraoka soka sugito toda tokigawa tokorozawa tsurugashima urawa warabi
        yashio yokoze yono yorii yoshida yoshikawa yoshimi @sapporo.jp !city * @saveincloud.net
        jelastic nordeste-idc @sb com edu gov net org @sc com edu gov net org @sc.us cc k12 lib
        @scale.virtualcloud.com.br users @scaleforce.com.cy j @scaleforce.net j @sch.uk * @science
        ybo @scot edu gov @scw.cloud k8s scalebook smartlabeling @sd com edu gov info med net org tv
        @sd.us cc lib @se 123minsida a ac b bd blogspot brand c com conf d e f fh fhsk fhv g h i
        iopsys itcouldbewor k komforb kommunalforbund komvux l lanbib m myspreadshop n
        naturbruksgymn o org p parti pp press r s t tm u w x y z @sendai.jp !city *
        @sensiosite.cloud * @services loginline @sf.no gs @sg blogspot com edu enscaled gov net org
        per @sh bip com gov hashbang mil net now org vxl wedeploy @shiga.jp aisho gamo higashiomi
        hikone koka konan kosei koto kusatsu maibara moriyama nagahama nishiazai notogawa
        omihachiman otsu ritto ryuoh takashima takatsuki torahime toyosato yasu @shimane.jp akagi
        ama gotsu hamada higashiizumo hikawa hikimi izumo kakinoki masuda matsue misato nishinoshima
        ohda okinoshima okuizumo shimane tamayu tsuwano unnan yakumo yasugi yatsuka @shizuoka.jp
        arai atami fuji fujieda fujikawa fujinomiya fukuroi gotemba haibara hamamatsu higashiizu ito
        iwata izu izunokuni kakegawa kannami kawanehon kawazu kikugawa kosai makinohara matsuzaki
        minamiizu mishima morimachi nishiizu numazu omaezaki shimada shimizu shimoda shizuoka susono
        yaizu yoshida @shop barsy base hoplix @si blogspot gitapp gitpage @site barsy byen cyon
        fastvps fnwk folionetwork jele lelux loginline mintere novecore omniwe opensocial srht @sk
        blogspot @sl com edu gov net org @sn art blogspot com edu gouv org perso univ @snowflake.app
        privatelink @so com edu gov me net org sch @space myfast uber xs4all @spawn.cc instances
        @spectrum.myjino.ru * @speedpartner.de customer @srcf.net soc user @ss biz com edu gov me
        net org sch @ssl.fastly.net a b global @st co com consulado edu embaixada mil net noho org
        principe saotome store @st.no gs @static.land dev sites @statics.cloud * @stdlib.com api
        @stg-builder.code.com * @stg.dev * @stgstage.dev * @stolos.io * @store sellfy shopware
        storebase @su abkhazia adygeya aktyubinsk arkhangelsk armenia ashgabad azerbaijan balashov
        bashkiria bryansk bukhara chimkent dagestan east-kazakhstan exnet georgia grozny ivanovo
        jambyl kalmykia kaluga karacol karaganda karelia khakassia krasnodar kurgan kustanai lenug
        mangyshlak mordovia msk murmansk nalchik navoi north-kazakhstan nov obninsk penza pokrovsk
        sochi spb tashkent termez togliatti troitsk tselinograd tula tuva vladikavkaz vladimir
        vologda @support barsy @sv com edu gob org red @svalbard.no gs @svc.firenet.ch * @sx gov @sy
        com edu gov mil net org @sys.qcx.io * @systems knightpoint @sz ac co org @tailscale.net beta
        @tb-hosting.com site @tc ch me we @td blogspot @team discourse jelastic @technology co
        @teckids.org s3 @telebit.xyz * @telemark.no bo xn--b-5ga @testing.thingdust.io cust reservd
        @tf sch @th ac co go in mi net online or shop @tj ac biz co com edu go gov int mil name net
        nic org test web @tl gov @tm co com edu gov mil net nom org @tm.no gs @tn com ens fin gov
        ind info intl mincom nat net orangecloud org perso tourism @tn.us cc k12 lib @to 611 com edu
        gov mil net nyan org oya rdv vpnplus @tochigi.jp ashikaga bato haga ichikai iwafune
        kaminokawa kanuma karasuyama kuroiso mashiko mibu moka motegi nasu nasushiobara nikko
        nishikata nogi ohira ohtawara oyama sakura sano shimotsuke shioya takanezawa tochigi tsuga
        ujiie utsunomiya yaita @today prequalifyme @tokushima.jp aizumi anan ichiba itano kainan
        komatsushima matsushige mima minami miyoshi mugi nakagawa naruto sanagochi shishikui
        tokushima wajiki @tokyo.jp adachi akiruno akishima aogashima arakawa bunkyo chiyoda chofu
        chuo edogawa fuchu fussa hachijo hachioji hamura higashikurume higashimurayama higashiyamato
        hino hinode hinohara inagi itabashi katsushika kita kiyose kodaira koganei kokubunji komae
        koto kouzushima kunitachi machida meguro minato mitaka mizuho musashimurayama musashino
        nakano nerima ogasawara okutama ome oshima ota setagaya shibuya shinagawa shinjuku suginami
        sumida tachikawa taito tama toshima @top now-dns ntdll @torproject.net pages @tottori.jp
        chizu hino kawahara koge kotoura misasa nanbu nichinan sakaiminato tottori wakasa yazu
        yonago @toyama.jp asahi fuchu fukumitsu funahashi himi imizu inami johana kamiichi kurobe
        nakaniikawa namerikawa nanto nyuzen oyabe taira takaoka tateyama toga tonami toyama unazuki
        uozu yamada @tr av bbs bel biz com dr edu gen gov info k12 kep mil name nc net org pol tel
        tsk tv web @tr.no gs @trade ybo @transip.me site @transurl.be * @transurl.eu * @transurl.nl
        * @trendhosting.cloud ch de @triton.zone * @tst.site * @tsukaeru.net jelastic @tt aero biz
        co com coop edu gov info int jobs mobi museum name net org pro travel @tv better-than dyndns
        on-the-web worse-than @tw blogspot club com ebiz edu game gov idv mil net org url
        xn--czrw28b xn--uc0atv xn--zf0ao64a @tx.us cc k12 lib @typeform.com pro @tz ac co go hotel
        info me mil mobi ne or sc tv @ua biz cc cherkassy cherkasy chernigov chernihiv chernivtsi
        chernovtsy ck cn co com cr crimea cv cx dn dnepropetrovsk dnipropetrovsk donetsk dp edu gov
        if in inf ivano-frankivsk kh kharkiv kharkov kherson khmelnitskiy khmelnytskyi kiev
        kirovograd km kr krym ks kv kyiv lg lt ltd lugansk lutsk lv lviv mk mykolaiv net nikolaev od
        odesa odessa org pl poltava pp rivne rovno rv sb sebastopol sevastopol sm sumy te ternopil
        uz uzhgorod v vinnica vinnytsia vn volyn yalta zaporizhzhe zaporizhzhia zhitomir zhytomyr zp
        zt @uberspace.de * @ug ac blogspot co com go ne or org sc @uk ac barsy co conn copro gov
        hosp independent-commission independent-inquest independent-inquiry independent-panel
        independent-review ltd me net nhs org plc police public-inquiry pymnt royal-commission
        @unispace.io cloud-fr1 @us ak al ar as az ca cloudns co ct dc de dni drud fed fl freeddns ga
        golffan graphox gu hi ia id il in is-by isa kids ks ky la land-4-sale ma md me mi mircloud
        mn mo ms mt nc nd ne nh nj nm noip nsn nv ny oh ok or pa platterp pointto pr ri sc sd
        stuff-4-sale tn tx ut va vi vt wa wi wv wy @us-east-2.amazonaws.com s3 s3-website @user.fm *
        @user.localcert.dev * @usercontent.goog * @ut.us cc k12 lib @uy com edu gub mil net org @uz
        co com net org @va.no gs @va.us cc k12 lib @vbrplsbx.io g @vc 0e com edu gov gv mil net org
        @ve arts bib co com e12 edu firm gob gov info int mil net nom org rar rec store tec web
        @vestfold.no sande @vf.no gs @vg at @vi co com k12 net org @vi.us cc k12 lib @vn ac biz
        blogspot com edu gov health info int name net org pro @vps.myjino.ru * @vt.us cc k12 lib @vu
        blog cn com dev edu me net org @vultrobjects.com * @wa.us cc k12 lib @wafaicloud.com jed lon
        ryd @wakayama.jp arida aridagawa gobo hashimoto hidaka hirogawa inami iwade kainan kamitonda
        katsuragi kimino kinokawa kitayama koya koza kozagawa kudoyama kushimoto mihama misato
        nachikatsuura shingu shirahama taiji tanabe wakayama yuasa yura @webhare.dev *
        @webpaas.ovh.net * @website framer @wf biz sch @wi.us cc k12 lib @wiardweb.com pages @wiki
        framer @wpenginepowered.com js @ws cloud66 com dyndns edu gov mypets net org @wv.us cc
        @wy.us cc k12 lib @xn--4dbrk0ce xn--4dbgdty6c xn--5dbhl8d xn--8dbq2a xn--hebda8b @xn--90a3ac
        xn--80au xn--90azh xn--c1avg xn--d1at xn--o1ac xn--o1ach @xn--j6w193g xn--55qx5d xn--gmqw5a
        xn--mxtq1m xn--od0alg xn--uc0atv xn--wcvs22d @xn--mre-og-romsdal-qqb.no sande xn--hery-ira
        @xn--o3cw4h xn--12c1fe0br xn--12cfi8ixb8l xn--12co0c3b4eva xn--h3cuzk1di xn--m3ch0j3a
        xn--o3cyx2a @xn--p1acf xn--41a xn--80aaa0cvac xn--90a1af xn--90amc xn--c1avg xn--h1ahn
        xn--h1aliz xn--j1adp xn--j1aef xn--j1ael8b @xn--stfold-9xa.no xn--vler-qoa @xnbay.com u2
        u2-local @xyz blogsite crafting localzone zapto @yamagata.jp asahi funagata higashine iide
        kahoku kaminoyama kaneyama kawanishi mamurogawa mikawa murayama nagai nakayama nanyo
        nishikawa obanazawa oe oguni ohkura oishida sagae sakata sakegawa shinjo shirataka shonai
        takahata tendo tozawa tsuruoka yamagata yamanobe yonezawa yuza @yamaguchi.jp abu hagi hikari
        hofu iwakuni kudamatsu mitou nagato oshima shimonoseki shunan tabuse tokuyama toyota ube yuu
        @yamanashi.jp chuo doshi fuefuki fujikawa fujikawaguchiko fujiyoshida hayakawa hokuto
        ichikawamisato kai kofu koshu kosuge minami-alps minobu nakamichi nanbu narusawa nirasaki
        nishikatsura oshino otsuki showa tabayama tsuru uenohara yamanakako yamanashi
        @yandexcloud.net storage website @ye com edu gov mil net org @yokohama.jp !city * @yt org
        @za ac agric alt co edu gov grondar law mil net ngo nic nis nom org school tm web @zm ac biz
        co com edu gov info mil net org sch @zone cloud66 hs lima @zw ac co gov mil org
        """
}
