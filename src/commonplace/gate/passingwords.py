"""The words by which what passes is told from what lasts: English first, then thirteen more languages. Data only.

Each list stands for one sign that `gate.passing` weighs; how much a sign weighs is fitted (tools/fit_passing.py).
"""

LISTS: dict[str, str] = {
    # -- signs of something that passes ------------------------------------------------------------------------------
    "this moment": """
        right now, at the moment, at this moment, at this very moment, as we speak, this minute, this second, this instant,
        for the moment, for now, as of now, as of today, temporarily, temporary, momentarily, for the time being, meanwhile, just now,
        in the middle of, about to, on the way to, on my way, on their way, on his way, on her way, at this point in time,
        in the background, while .. waiting, in progress, under way, underway, ongoing right,
        im moment, momentan, in diesem moment, gerade eben, gerade dabei, vorubergehend, zurzeit gerade, soeben, derweil,
        ahora mismo, en este momento, en este instante, de momento, por el momento, temporalmente, en estos momentos,
        en ce moment, a l'instant, pour l'instant, pour le moment, temporairement, en train de, momentanement,
        in questo momento, in questo istante, al momento, per il momento, per ora, temporaneamente, proprio ora, proprio adesso,
        neste momento, nesse momento, agora mesmo, no momento, por enquanto, por agora, temporariamente, neste instante,
        op dit moment, momenteel, op dit ogenblik, tijdelijk, zojuist, op het moment, nu even,
        w tej chwili, w tym momencie, na chwile, chwilowo, tymczasowo, na razie, wlasnie teraz, przed chwila, w trakcie,
        в данный момент, в этот момент, прямо сейчас, пока что, временно, только что, на данный момент, в процессе,
        şu anda, su anda, şu an, su an, bu anda, şimdilik, simdilik, geçici olarak, az once, az önce, hemen şimdi, o sırada,
        just nu, for tillfallet, for ogonblicket, tillfalligt, for stunden, precis nu, nyss, i detta nu,
        此刻, 眼下, 暂时, 這會兒, 这会儿, 当下, 正在, 刚刚, 剛剛, 刚才, 临时, 现在正, 目前正,
        今ちょうど, ちょうど今, 只今, ただいま, たった今, 一時的, さっき, 今しがた, 今のところ, ところだ, 最中, 途中,
        지금 막, 방금, 잠깐, 잠시, 일시적, 현재 진행, 하는 중, 는 중,
        في هذه اللحظة, حاليا, مؤقتا, للتو, الآن, في الوقت الحالي, قيد,
        इस समय, फिलहाल, अभी अभी, अभी-अभी, इस वक्त, अस्थायी, अभी
    """,
    "now": """
        currently, now, presently, at present, at the minute, these days, still, current, latest, live, active, already,
        aktuell, derzeit, jetzt, momentane, zurzeit, aktuelle*, noch immer, immer noch, derzeitige*, gerade,
        actualmente, ahora, todavia, aun, actual, actuellement, maintenant, toujours, encore, actuel*,
        attualmente, adesso, ora, ancora, attuale, atualmente, agora, ainda, atual, nu, nog, huidige, nog steeds,
        obecnie, teraz, aktualnie, wlasnie, wciaz, obecn*, сейчас, теперь, пока, текущ*, еще, все еще,
        şimdi, simdi, su an, halen, hala, mevcut, guncel, nu, fortfarande, nuvarande, aktuell*, for narvarande,
        现在, 目前, 当前, 現在, 今は, いま, 仍在, 还在, 지금, 현재, 아직, حالي, لا يزال, वर्तमान, अब, मौजूदा
    """,
    "today": """
        today, tonight, this morning, this afternoon, this evening, this lunchtime, today's, later today, earlier today, end of the day,
        by tonight, before 5 pm, this week only, this hour, for the day, all day, until tonight, before lunch, after lunch, before dinner,
        heute, heute abend, heute morgen, heute nachmittag, heute frueh, heut, hoy, esta tarde, esta noche, esta mañana, este mediodia,
        aujourd'hui, ce soir, ce matin, cet apres-midi, ce midi, cette nuit, oggi, stasera, stamattina, questa mattina, questa sera,
        questo pomeriggio, stanotte, stamani, hoje, esta tarde, esta noite, esta manhã, hoje a noite, vandaag, vanmiddag, vanavond,
        vanochtend, vanmorgen, vannacht, dzis, dzisiaj, dzisiejsz*, dzis wieczorem, dzis rano, сегодня, сегодняшн*, вечером нужно, утром нужно,
        bugun, bu sabah, bu aksam, bu gece, bu ogleden sonra, idag, i dag, ikvall, i kvall, i morse, i eftermiddag, inatt, i natt,
        今天, 今日, 今晚, 今早, 今夜, 今朝, 今晩, 今天下午, 今夕, 오늘, 오늘밤, 오늘 아침, 오늘 저녁, اليوم, الليلة, هذا الصباح, هذا المساء, आज, आज रात, आज शाम
    """,
    "soon": """
        in a minute, in a moment, in a bit, in a second, in an hour, in half an hour, in # minutes, in # min, in # hours, in # seconds,
        for the next hour, for the next # minutes, next few minutes, next few hours, be back, will be back, right back, will continue, will resume,
        continue tomorrow, talk later, until later, tomorrow, tomorrow morning, by tomorrow, later on, shortly, soon, in a while, back in, once .. done,
        after this call, after the call, after the meeting, before the meeting, before the call, next up, up next, until this evening,
        in einer minute, in # minuten, in ten minutes, in einer stunde, gleich, bald, spater, morgen frueh, morgen wieder,
        dentro de # minutos, en # minutos, en un rato, en breve, luego, manana por la, mas tarde, enseguida,
        dans # minutes, dans une heure, tout a l'heure, bientot, plus tard, demain, tra # minuti, fra # minuti, tra poco, fra poco, tra dieci minuti,
        tra un'ora, piu tardi, domani, daqui a pouco, em # minutos, daqui a # minutos, mais tarde, amanha, logo mais,
        over # minuten, over een uur, zo meteen, straks, dadelijk, morgenochtend, za # minut, za chwile, za godzine, pozniej, jutro,
        через # минут, через час, через полчаса, скоро, позже, завтра, birazdan, # dakika sonra, # dakika icinde, bir saat sonra, yarin, az sonra,
        om # minuter, om en timme, om en stund, snart, strax, senare idag, imorgon, 一会儿, 待会, 马上, 稍后, 分钟后, 明天, 等一下,
        あとで, もうすぐ, 分後, 後ほど, 明日, 잠시 후, 분 후, 이따가, 곧, 내일, بعد قليل, بعد ساعة, دقائق, غدا, थोड़ी देर, मिनट में, कल, जल्द ही
    """,
    "just": """
        just, has just, have just, only just, freshly, recently, a moment ago, a minute ago, minutes ago, an hour ago, hours ago, seconds ago, earlier,
        eben, grade eben, acaba de, hace un momento, hace un rato, vient de, viennent de, il y a # minutes, appena, poco fa,
        acabou de, ha pouco, zonet, dopiero co, только, 刚, 剛, ばかり, 방금, 막 , للتو, abhi
    """,
    "tells that": """
        said that, said they, said their, said he, said she, mentioned that, mentioned they, mentioned their, mentioned having, mentioned being, shared that, told .. that, explained that, stated that, clarified that, confirmed that, revealed that, noted that, disclosed that, emphasised that, emphasized that, asked that, asked never, asked not to, asked to always, asked to be, asked to use, asked .. always, asked .. never, requested that, requested to, wants, prefers to, expressed a preference, decided, has decided, agreed to, announced, said to prefer, asked for .. to always, instructed,
        hat gesagt dass, sagte dass, erwahnte dass, dijo que, menciono que, comento que, explico que, a dit que, a mentionne que, a explique que, a precise que, ha detto che, ha spiegato che, disse que, mencionou que, explicou que, zei dat, vertelde dat, powiedzial* ze, wspomnial* ze, сказал* что, рассказал* что, упомянул* что, oldugunu soyledi, sa att, berattade att, 表示自己, 提到自己, 说自己, と述べた, だと言っ, 라고 말했, 고 했다, قال إن, ذكر أن, बताया कि
    """,
    "keeps on": """
        keeps dropping, keeps crashing, keeps failing, keeps disconnecting, keeps freezing, keeps asking, went out, unhealthy, overrun, overruns, muted until, boarding, being loud, has been showing, is showing, is stuck at, running late, delayed, is late, cancelled this, hasn't .. yet, haven't .. yet, not .. yet, has not .. yet, have not .. yet, in use, being used, mid-conversation, handled by, after this, after the run, until # pm, until # am, until quarter, on a break, for five minutes, for # minutes, for ten minutes, out of milk, out of coffee, sore throat, the flu, in between, hogs, hogging, is mid, in bed, minutes from, nearly there,
        no tiene papel, se ha caido, en retard, in ritardo, atrasad*, vertraging, opoznion*, опаздыва*, gecikme*, forsenad*, 晚点, 信号不好, 只剩, 遅延, 不安定, 늦어지, 지연, متأخر, देर से
    """,
    "session": """
        this session, this conversation, this chat, this thread, this window, current session, current run, current chat, current conversation, this run, this demo,
        the session, for the duration of, for the rest of, next exercise, this exercise, this turn, this message, this call, this reply, in this chat,
        in this session, this time only, just this once, only this time, this one time, for this reply, for this answer, current task, the current file,
        the next answer, the next message, next task, session only, rest of the day, until i restart, until restart, until reboot, during the chat,
        alongside this chat, in here, this query, this prompt, this question, this response, diese sitzung, dieser sitzung, diesem chat, dieser chat, dieses gesprach, diesem gesprach,
        dieser unterhaltung, fur den rest, esta sesion, este chat, esta conversacion, por esta vez, solo por hoy,
        cette session, cette conversation, cette discussion, ce chat, cet echange, la session en cours, questa sessione, questa chat, questa conversazione,
        nesta sessao, nesta conversa, neste chat, esta sessao, esta conversa, deze sessie, dit gesprek, deze chat, tej sesji, ta sesja, tej rozmow*, tym czacie,
        этой сесси*, этом чате, этом разговоре, текущей сессии, этот сеанс, bu oturum*, bu sohbet*, bu konusma*, denna session, den har sessionen, den har chatten, detta samtal,
        本次会话, 这次对话, 本次对话, 这个会话, 当前会话, 会话中, このセッション, この会話, このチャット, 今回の会話, 이 세션, 이번 세션, 이 대화, 이번 대화, 이 채팅,
        هذه الجلسة, هذه المحادثة, इस सत्र, इस बातचीत, इस चैट
    """,
    "ai model": """
        claude, sonnet, opus, haiku, gpt*, chatgpt, gemini, llama*, mistral, mixtral, codestral, deepseek*, qwen*, grok, kimi, phi, gemma*, command r,
        o # model, o # mini, o # pro, ollama, openrouter, copilot, nova pro, glm, yi, falcon, fable, mythos, composer, codex, devstral, minimax, nemotron,
        model, models, the model, modell, modelo, modele, modello, model językowy, modelu, modelem, модел*, modeli, modele, modellen,
        模型, モデル, 모델, النموذج, نموذج, मॉडल, thinking mode, reasoning effort, thinking enabled, extended thinking, llm, backend model
    """,
    "switching": """
        switch* to, switched, swapped .. for, upgraded .. to, upgraded this, moved from .. to, back down to, trying out, tries out, in use, being used, switch* over, switch* from, switch* back, switching, change* to, changed .. to, change* over, changed the, changed from, set to, set .. to, is set, was set, selected, picked,
        chose .. for this, toggled, turned on, turned off, turned .. on, turned .. off, turned up, turned down, enabled, disabled, is enabled, is disabled, activated, deactivated, is on now, is off,
        fell back, falling back, fallback, gone back to, went back to, going back to, moved .. over to, is now using, now using, now on, now running, now talking, now uses, running on, is running, talking to, chatting with,
        speaking with, is using, are using, using .. for this, opted for, swapped, is now, are now, loaded, reverted to, back on, back to, upgraded to, downgraded to, moved to, pointed at, connected to, disconnected, logged in, logged out, signed in, signed out, ran, paused, resumed, muted, unmuted,
        umgeschaltet, gewechselt, wechselt*, umgestellt, eingestellt, ausgewahlt, aktiviert, deaktiviert, nutzt jetzt, verwendet jetzt, verwendet gerade, nutzt gerade, lauft auf, auf .. gewechselt,
        cambio .. a, ha cambiado, cambiado a, paso a usar, ha pasado a, seleccion*, ha seleccionado, activo el, desactivo, esta usando, esta utilizando, usa ahora, cambio el, cambio al,
        est passe a, est passee a, a bascule, bascule, a change, a choisi, a selectionne, utilise actuellement, a active, a desactive, passe sur, passee sur,
        e passato a, e passata a, ha cambiato, ha selezionato, ha attivato, ha disattivato, sta usando, sta utilizzando, passato al, impostato, ha impostato,
        trocou, mudou para, mudou o, alterou, selecionou, ativou, desativou, esta usando, esta a usar, passou a usar, alternou,
        schakelde, overgeschakeld, overgestapt, geschakeld, gewisseld, gebruikt nu, ingesteld, geselecteerd, ingeschakeld, uitgeschakeld, zette, stelde,
        przelaczyl*, zmienil*, wybral*, wlaczyl*, wylaczyl*, ustawil*, uzywa teraz, korzysta teraz, przeszedl na, przeszla na, przelaczono, ustawiono,
        переключил*, сменил*, выбрал*, включил*, выключил*, отключил*, установил*, перешел на, перешла на, переключен*, использует сейчас, сейчас использует,
        gecti, geçti, degistirdi, değiştirdi, secti, seçti, acti, açtı, kapatti, kapattı, ayarladi, ayarlandi, kullaniyor, olarak ayarla*, etkinlestir*,
        bytte, bytt, vaxlade, valde, aktiverade, inaktiverade, stallde in, stangde av, slog pa, slog av, anvander nu, anvander just nu, satte pa,
        切换, 换成了, 换成, 改用, 切到, 选择了, 打开了, 关闭了, 开启, 设置为, 设为, 切換, 換成, 切り替え, 変更し, に変え, 選択し, 使っている, 使用中, オンにし, オフにし, 設定し,
        바꿨, 바꾸었, 변경했, 전환했, 선택했, 켰다, 껐다, 켰, 껐, 설정했, 사용 중, 쓰는 중, بدّل, بدل, غيّر, غير النموذج, اختار, انتقل إلى, يستخدم الآن, فعّل, فعل, بدّلت,
        बदलकर, बदल लिया, बदल दिया, स्विच, चुना, चालू किया, बंद किया, पर सेट
    """,
    "volatile thing": """
        cursor, line #, file open, open file, working directory, current directory, directory is, cwd, clipboard,
        selection, battery, charger, hotspot, airpod*, test run, production is, download, upload, backup is,
        compilation, indexing, transfer, update is, updating, inbox, unread, notifications, open pull requests,
        open issues, open prs, pull requests, open tickets, pending, uncommitted, stash, staged, merge conflict,
        rebase, pr is, pr #, breakpoint, debugger, stack trace, context window, tokens left, disk usage, disk space,
        memory usage, load is, utilisation, utilization, latency, ping, loss, epoch, training run, accuracy is,
        score is, price of, trading at, exchange rate, stock is, share price, costs .. today, streak, visitors,
        users online, raining, rain, snowing, sunny, traffic, timer, stopwatch, countdown, plan mode, debug logging,
        logging is, web search is, airplane mode, do not disturb, focus mode, incognito, zoom level, latest version,
        nightly, release candidate, to do, todo, to-do, latest release, working tree, untracked, modified files,
        uncommitted changes, stands at #, out for delivery, shopping cart, cart holds, selected text,
        spinner, progress bar, cursor position, mute*, battery level, signal strength, the queue is, queue length,
        replicas, build number, flight is, package is, delivery is, uber, taxi is, wifi is, wi-fi at, wi-fi is,
        internet is, connection is, oven is, printer is, the euro, gas costs, petrol costs, sprint has, tickets left,
        dialog, cpu load, server load, current price, current balance, balance is, bandwidth, git status, diff shows,
        current url, url bar, page #,
        zweig, reiter, zeile, akku, batterie, lautstarke, helligkeit, drucker, tests laufen, server antwortet, wetter, verzeichnis, registerkarte, ladegerat, kurs, benzinpreis, paketserver, warteschlange, ofen, wlan,
        rama, pestana, linea #, bateria, volumen, brillo, impresora, compilacion, descarga, subida, servidor, clima, archivo, archivo .. abierto, cargador, precio, wifi, horno,
        branche, onglet, ligne #, batterie, luminosite, imprimante, telechargement, serveur, meteo, fichier, fichier .. ouvert, chargeur, prix, curseur,
        ramo, scheda, riga #, batteria, stampante, caricamento, scaricamento, cursore, prezzo, il file, forno, il server e, ramo, aba, linha #, impressora, carregamento, servidor esta, arquivo, o arquivo, carregador, preço, forno,
        tabblad, regel #, accu, upload, het bestand, bestanden, lader, prijs, galaz, galezi, karta, wiersz, linia #, bateria, bateri*, drukark*, pobieranie, plik, pliku, serwer nie, cena, kursor,
        ветк*, вкладк*, строк*, батаре*, заряд*, громкост*, принтер*, сборк*, загрузк*, файл*, курсор*, сервер сейчас, цена, курс, духовк*, тест* упал*, погода,
        dal, dalinda, dalında, sekme*, satir*, satır*, pil, sarj, şarj, yazici, yazıcı, indirme, yukleme, yükleme, dosya*, imlec, imleç, fiyat*, fırın, hava, derleme,
        gren, grenen, flik, flikar, rad #, batteri*, skrivare*, nedladdning*, uppladdning*, filen, markor*, bygget, laddare*, pris*, ugnen, vadret,
        分支, 标签页, 光标, 电量, 电池, 音量, 亮度, 打印机, 构建, 下载, 上传, 进度, 迁移, 服务器, 文件, 第#行, 行目, 价格, 天气, 测试, ブランチ, タブ, カーソル, バッテリー, 音量, プリンタ, ビルド, ダウンロード, アップロード, 進捗, ファイル, 天気, テスト, 充電,
        브랜치, 탭, 커서, 배터리, 음량, 프린터, 빌드, 다운로드, 업로드, 진행률, 파일, 날씨, 인터넷, 테스트, 충전, الفرع, فرع, علامة التبويب, المؤشر, البطارية, الطابعة, التحميل, تنزيل, رفع, الملف, ملف, الطقس, الخادم, सर्वर, ब्रांच, टैब, कर्सर, बैटरी, प्रिंटर, डाउनलोड, अपलोड, फ़ाइल, फाइल, मौसम, बिल्ड
    """,
    "gear": """
        editor, terminal, window, vpn, camera, mic, microphone, build, pipeline, ci, tests, test suite, pod,
        container, deployment, deploy, dev server, staging, staging server, prod, queue, job, import, export, sync,
        migration, render, scan, rollout, rate limit, quota, disk, ram, gpu, cpu, oven, washing machine, dishwasher,
        dryer, stove, printer, router, monitor, screen, seat, gate, platform, port #, version is, temperature,
        thermostat, humidity, volume, dark mode, verbose, playlist, song, track, sidebar, panel, install*, compile*,
        wi-fi signal, wifi, bluetooth, headphones, headset, workflow run, debug*, conflict*, server is, search is,
        web search, full screen, zoom, stars, followers, subscribers, weather, laundry, pot of, dough, kettle,
        brightness, screen brightness, tabs, tab, branch
    """,
    "open": """
        has .. open, have .. open, is open in, open in the, opened, has opened, is viewing, viewing, is looking at, looking at, is on the .. page, is on the .. tab, is reading, scrolling, is scrolled, is filtering, is editing, editing, is typing, highlighted, focused on line,
        has .. running, has .. loaded, is in the .. folder, on branch, on the branch, is on step, is on page, is on level, is on chapter, checked out,
        geoffnet, hat .. offen, offen hat, tiene abierto, tiene abierta, tiene .. abiert*, a ouvert, a .. ouvert, est sur la branche, ha aperto, ha .. aperto, e aperto, esta com .. aberto, esta com .. aberta, abriu, tem aberto,
        heeft .. open, staat open, geopend, ma otwart*, otwart*, открыт*, открыл*, acik, açık, duzenliyor, düzenliyor, har .. oppen, har .. oppet, oppnat, 打开, 开着, 開いて, 開いた, 表示し, 열어, 열려, 열고, 보고 있, فتح, مفتوح, खुला, खुली, खोल
    """,
    "trouble": """
        failing, fails, failed, is down, are down, went down, is offline, offline, crashed, crashing, crashes, crashloop*, is broken, broken, not responding, unresponsive, not connecting, isn't connecting, not working, isn't working, isn't loading, won't load, won't start, won't boot, can't connect, cannot connect,
        can't find, returning #, returns #, return #, error, errors, exception, timed out, timing out, times out, timeout, overloaded, out of sync, unreachable, is red, is green, is stuck, stuck, frozen, hangs, hanging, is out of, ran out of, out of paper, out of ink, out of disk, out of memory, is full, low on, running low,
        already in use, is locked, blocked, throttled, retrying, rebooting, restarting, is restarting, is updating, is loading, conflict, patchy, laggy, slow today, is slow, jammed, lost connection, no signal, disconnected, passed, # failing, # failed, # passed, econn*, segfault*, traceback, is unavailable, unavailable, is paused, is queued, is pending, is empty, is closed today, tripped,
        schlagt .. fehl, fehlgeschlagen, abgesturzt, fehler, nicht erreichbar, hangt, funktioniert .. nicht, geht nicht, kaputt, unterbrochen, falla, fallo, fallando, error, caido, caida, no funciona, no responde, no carga, sin internet, sin conexion, esta bloquead*,
        echoue, plante, erreur, en panne, ne fonctionne pas, ne repond pas, hors service, injoignable, bloque, fallisce, errore, non funziona, non risponde, bloccat*, in crash, e caduto, non va, falhando, falhou, erro, caiu, fora do ar, nao funciona, nao responde, sem internet, travou, travado,
        mislukt, faalt, storing, fout, werkt niet, doet het niet, onbereikbaar, ligt plat, vastgelopen, hapert, nie dziala, nie odpowiada, blad, awaria, zawiesil*, padl, zaciecia, nie laduje, не работает, упал*, ошибк*, не отвечает, завис*, недоступ*, сломал*, падает, не загружается,
        calismiyor, çalışmıyor, hata, coktu, çöktü, yanit vermiyor, yanıt vermiyor, basarisiz, kesiliyor, kesildi, dondu, fungerar inte, kraschar, kraschat, fel, svarar inte, ligger nere, misslyckas, har hangt sig,
        失败, 报错, 崩溃, 挂了, 宕机, 无法连接, 连不上, 卡住, 断开, 出错, 失敗, エラー, 落ちて, つながら, 繋がら, 動かな, 止まって, 실패, 오류, 끊, 다운, 안 됨, 안 돼, 먹통, 멈췄, 에러, 고장, خطأ, معطل, لا يعمل, فشل, انقطع, متوقف, त्रुटि, काम नहीं कर, डाउन, बंद है, फेल, एरर
    """,
    "progress": """
        # %, # percent, halfway, half way, step # of, # of #, page #, on line #, chapter #, level #, epoch #, minutes left, hours left, left to go, still to go, remaining, almost done, nearly done, nearly finished, almost finished, minutes into, hours into, so far, % done, % complete, % full, done so far, finishing up, wrapping up, part way, partway, up to page, score of,
        in the queue, is at #, are at #, at # °, # degrees, # unread, # tabs, # open, # failing, # online, # pending, # left, # remaining, points ahead, # ahead, # behind, # down, round #, lap #, mile #, set # of,
        prozent, halfte, schritt #, seite #, kapitel #, noch # minuten, fast fertig, verbleib*, a la mitad, a mitad, paso #, pagina #, capitulo #, queda*, faltan, le queda, casi termin*, a moitie, a mi-chemin, etape #, page #, il reste, reste*, presque fini*,
        a meta, passo #, mancano, quasi finito, al # %, na metade, pela metade, faltam, etapa #, quase, halverwege, stap #, bladzijde #, pagina #, nog # minuten, bijna klaar, resterend*, w polowie, krok #, strona #, stronie #, zostalo, prawie gotow*, наполовину, шаг*, странице, осталось, почти,
        yarisinda, yarısında, adim, adım, sayfa*, kaldi, kaldı, yuzde, yüzde, halvvags, steg #, sida #, kvar, nastan klar, 进度, 一半, 还剩, 剩下, 第 # 步, 完成了, 半分, 残り, あと#分, 途中, 進ん, 절반, 남았, 단계, 퍼센트, 쪽까지, بقي, المتبقي, نصف, صفحة, خطوة, आधा, बाकी, चरण, प्रतिशत
    """,
    "mood": """
        tired, exhausted, sleepy, hungry, thirsty, nervous, stressed, anxious about, in a bad mood, in a good mood, bad mood, good mood, grumpy, cranky, cheerful, excited about, feels great, feeling, feels, feel, headache, hungover, slept badly, slept poorly, slept well, slept #, under the weather, has a cold, feverish, bored, annoyed, frustrated, upset, sore, jet-lagged, overwhelmed, not in the mood, in a hurry, in a rush, wants to take it slow, cold right,
        mude, hungrig, nervos, gestresst, schlecht gelaunt, gut gelaunt, kopfschmerzen, erschopft, laune, cansad*, hambre, nervios*, estresad*, de mal humor, de buen humor, dolor de cabeza, agotad*, est fatigue*, fatiguee*, faim, stresse*, de mauvaise humeur, de bonne humeur, mal de tete, epuise*, enerve*,
        stanc*, affamat*, nervos*, stressat*, di cattivo umore, di buon umore, mal di testa, cansad*, com fome, estressad*, mau humor, mal-humorad*, dor de cabeca, moe, hongerig, zenuwachtig, gestrest, slecht humeur, hoofdpijn, zmeczon*, glodn*, zdenerwowan*, zestresowan*, zly humor, boli glowa, bol glowy, w zlym humorze,
        устал*, голод*, нервнича*, плохом настроении, хорошем настроении, настроени*, голова болит, болит голова, не выспал*, yorgun, gergin, keyifsiz, moralsiz, basi agriyor, başı ağrıyor, uykusuz, trott, hungrig, nervos, stressad, pa daligt humor, huvudvark, 
        累, 困, 饿, 紧张, 心情, 头疼, 头痛, 没睡好, 烦, 疲れ, 眠い, お腹が空, 緊張, 気分, 頭が痛, 頭痛, イライラ, 寝不足, 피곤, 배고, 긴장, 기분, 머리가 아, 두통, 졸려, 졸린, 잠을 못, متعب, جائع, متوتر, مزاج, صداع, مرهق, थका, थकी, भूख, घबरा, मूड, सिरदर्द, सिर दर्द, परेशान है
    """,
    "whereabouts": """
        on the train, on a train, on the bus, in a meeting, into a meeting, in a café, in a cafe, on mobile, at passport control, on the stove, in the oven, at the airport, at the station, in the car, in traffic, stuck in, on hold, in the waiting room, on a call, on the phone with, in line, at the gym right, at the doctor, at lunch, having lunch, having dinner, having breakfast, having coffee, going to bed, off to bed, heading out, heading to, walking to, driving to, waiting room, checking in, boarding, on the way, sitting in, sitting at, sitting on, standing in, lying in, away from, stepping away, afk, out for, out walking, in the kitchen, commuting, in the lobby, in the library, hotel room, wearing, screen-sharing, napping, cooking, boiling, preheating, charging, asleep, on a plane, at the office today, working from .. today,
        im zug, im auto, im meeting, in einer besprechung, am flughafen, im stau, unterwegs, beim mittagessen, in der bahn, im café, en el tren, en una reunion, en el aeropuerto, en el coche, en el bus, de camino, en la cafeteria, almorzando, en la cola, dans le train, en reunion, a l'aeroport, dans le bus, dans le metro, capte mal, est dans le metro, est dans le train, en route, au cafe, en voiture, in treno, in riunione, in aeroporto, in macchina, per strada, al bar, in coda,
        no trem, no comboio, em reuniao, no aeroporto, no carro, no onibus, a caminho, no metro, in de trein, in vergadering, in een vergadering, op het vliegveld, in de auto, onderweg, in de file, w pociagu, na spotkaniu, na lotnisku, w samochodzie, w drodze, w autobusie, w korku, в поезде, на совещании, на встрече, в аэропорту, в машине, в пробке, в метро, в дороге, едет в, в кафе, в самолете,
        trende, toplantida, toplantıda, havaalaninda, arabada, yolda, trafikte, metroda, otobuste, kafede, pa taget, i ett mote, pa flygplatsen, i bilen, pa vag, pa bussen, pa kafe, i telefonko, 在火车上, 在高铁上, 在开会, 开会中, 在机场, 在路上, 堵车, 在地铁, 咖啡馆, 電車の中, 車内, 電車で移動, 会議中, 空港に, 移動中, カフェ, 기차 안, 지하철 안, 회의 중, 공항에, 이동 중, 카페에, 버스 안, في القطار, في اجتماع, في المطار, في الطريق, في السيارة, ट्रेन में, मीटिंग में, एयरपोर्ट पर, रास्ते में, ट्रैफिक
    """,
    "pending": """
        waiting for, waiting on, is waiting, awaiting, needs to reply, needs to finish, need to reply, has to pick up, has to call, has to finish, needs to call, needs to send, still has to, still needs to, must finish, will send, will upload, will try, will check, will call back, will paste, will share, going to, gonna, planning to .. today, put off until, has yet to, wants to finish, is trying to, trying to, tries to, is about to, is comparing, is debugging, is fixing, is working on, working on, is proofreading, is writing a, is preparing, is packing, is checking, is testing, is running, is reviewing, carrying on, is busy, is stuck, is looking for, is searching, to do before, reminder to,
        wartet auf, wartet noch, muss .. noch, muss .. heute, will .. noch, arbeitet gerade, sucht gerade, espera*, esperando, tiene que .. hoy, tiene que terminar, debe .. hoy, esta trabajando en, esta buscando, esta esperando, attend, en attente, doit .. finir, doit .. aujourd'hui, veut finir, cherche, est en train, aspetta, in attesa, deve .. oggi, deve finire, sta cercando, sta aspettando, sta lavorando, sta scrivendo, sta facendo,
        esperando, aguardando, precisa .. hoje, tem que .. hoje, esta trabalhando, esta procurando, esta tentando, wacht op, wacht nog, moet .. nog, moet .. vandaag, is bezig, zoekt, aan het, czeka na, musi .. dzis, musi jeszcze, pracuje wlasnie, szuka, ждет, ожида*, нужно доделать, надо доделать, нужно .. сегодня, должен .. сегодня, надо .. сегодня, пытается, ищет,
        bekliyor, bekleniyor, aramasi lazim, yapmasi gerekiyor, calisiyor, çalışıyor, ariyor, arıyor, vantar pa, maste .. idag, maste .. i eftermiddag, maste hinna, haller pa, soker, forsoker, 等待, 在等, 要在今天, 待办, 正在, 待って, 待ち, しなければ, したいとのこと, している最中, 기다리, 해야 함, 하고 있다, 하는 중, 하려고, ينتظر, بانتظار, يحاول, يجب أن .. اليوم, इंतज़ार, इंतजार, कर रहा है, कर रही है, करना है
    """,
    "ago": """
        yesterday, last night, this morning, earlier today, the other day, an hour ago, a while ago, last weekend, yesterday's, during the chat, earlier this,
        gestern, gestern abend, ayer, anoche, hier soir, hier matin, hier apres-midi, ieri, ieri sera, ontem, ontem a noite, gisteren, gisteravond, wczoraj, вчера, dun, dün, igar, i gar, igår, 昨天, 昨晚, 昨日, 昨夜, 어제, 어젯밤, أمس, البارحة, कल रात
    """,
    # -- signs of a single event -------------------------------------------------------------------------------------
    "ate or saw": """
        ate, had .. for lunch, had .. for dinner, had .. for breakfast, had a sandwich, had lunch, had dinner, drank, watched, saw, listened to, went for a walk, went for a run, spilled, bumped into, took a nap, cooked, ordered, spotted, heard, dropped, missed the bus, took the bus, was late, found .. funny, tried out, for lunch, for dinner, for breakfast, as a snack, grabbed a, sneezed, finished .. episode,
        hat .. gegessen, gegessen, gesehen, getrunken, geschaut, zu mittag, zum mittagessen, comio, ceno, desayuno, almorzo, vio, bebio, ha comido, ha cenado, ha visto, a mange, a vu, a bu, a regarde, a dejeune, ha mangiato, oggi a pranzo, oggi a cena, ha visto, ha bevuto, ha guardato, a pranzo, a cena, comeu, jantou, almocou, bebeu, assistiu, viu,
        heeft .. gegeten, gegeten, gezien, gekeken, gedronken, zjadl*, jadl*, obejrzal*, wypil*, widzial*, na obiad, съел*, поел*, посмотрел*, выпил*, обедал*, ужинал*, увидел*, yedi, izledi, icti, içti, gordu, gördü, at .. lunch, at .. middag, akte, drack, tittade pa, såg, 
        吃了, 喝了, 看了, 看见, 看到, 午饭, 午餐, 晚饭, 食べた, 飲んだ, 観た, 見た, 昼食, 夕食, 먹었, 마셨, 봤다, 봤, 점심으로, 저녁으로, أكل, شرب, شاهد, تناول, رأى, खाया, पिया, देखा, खाई
    """,
    "asked": """
        user asked, user also asked, user then asked, users asked, user first asked, user just asked, user had asked, user briefly asked, user once asked, i asked, they asked, he asked, she asked, asked for, asked how, asked what, asked whether, asked if, asked why, asked when, asked who, asked where, asked which, asked about, asked to, asked me, asked the assistant, asked an, asked a, asked you, user requested a, user requested an, user requested the, user requested help, user requested information, requested a, requested an, requested the, wanted to know, wants to know how, wants to know what, wanted a, wanted an, wanted the assistant, wondered, user queried, quizzed, inquired, enquired, posed, was curious, were curious, question about, questioned, sought, looked up, user googled, was looking for, requested help, needed help with, wanted help, had a question, got help, was given, received, user called the, user interrupted, user repeated, user clicked, user pressed,
        hat gefragt, fragte, wollte wissen, gefragt, bat um, hat .. gebeten, erkundigte sich, pregunto, preguntaba, quiso saber, pidio, solicito, consulto, ha preguntado, ha pedido, queria saber, a demande, demandait, a voulu savoir, voulait savoir, s'est renseigne, a pose, ha chiesto, chiese, voleva sapere, ha domandato, ha richiesto, perguntou, quis saber, pediu, solicitou, indagou,
        vroeg, heeft gevraagd, wilde weten, gevraagd, verzocht, zapytal*, pytal*, poprosil*, chcial* wiedziec, spytal*, prosil*, спросил*, спрашивал*, попросил*, хотел* узнать, поинтересовал*, просил*, sordu, istedi, merak etti, rica etti, fragade, bad om, bad assistenten, ville veta, undrade, 
        问了, 询问, 问我, 让我写, 让我, 请我, 想知道, 用户问, 要求我, 要我, 尋ね, 聞いた, 聞いてき, 質問した, 質問し, 頼んだ, 依頼し, 求めた, 물어봤, 물었, 물어보, 질문했, 요청했, 부탁했, 궁금해, سأل, طلب, استفسر, أراد أن يعرف, पूछा, माँगा, मांगा, पूछी, पूछ, जानना चाहा, कहा कि लिख, लिखवा
    """,
    "chat event": """
        thanked, amused, was amused, declined, told a joke, said perfect, all caps, dio las gracias, se despidio, se despide, signed off, said see you, thanked, said thanks, said thank, said good, said hello, said hi, said goodbye, said bye, said lol, said it was, said ok, said that was, said yes, said no, said nothing, user said, says thanks, greeted, wished, laughed, giggled, apologised, apologized, joked, corrected, pasted, shared, uploaded, sent, attached, linked, posted, forwarded, showed, showed off, typed, tested the, teased, complimented, praised, complained, mentioned that, mentioned, remarked, commented, noted that, expressed, reacted, responded, replied, agreed, disagreed, confirmed, pointed out, guessed, rolled, flipped, played a round, counted, approved of, liked the, enjoyed the joke, found the, was pleased, was happy with, was satisfied, seemed, acknowledged, quoted, started the conversation, ended the conversation, opened with, closed the chat, said goodnight, signed off, dictated, misspelled, typo, emoji, used an emoji, wrote in, wrote a, sang, rated the, accepted, rejected, skipped,
        bedankte, bedankt sich, dankte, grusste, lachte, hochgeladen, geteilt, teilte, schickte, entschuldigte, sagte, zeigte, begrusste, wunschte, agradecio, saludo, se rio, compartio, subio, envio, se disculpo, dijo, mostro, deseo, ha compartido, a remercie, a salue, a ri, a partage, a envoye, s'est excuse, a dit, a montre, a souhaite, a televerse, a corrige, ha ringraziato, ha salutato, ha riso, ha condiviso, ha caricato, ha inviato, si e scusat*, ha detto, ha mostrato, ha augurato, ha corretto,
        agradeceu, cumprimentou, riu, compartilhou, enviou, desculpou, disse, mostrou, desejou, corrigiu, partilhou, bedankte, groette, lachte, deelde, stuurde, verontschuldigde, zei, toonde, wenste, corrigeerde, uploadde, podziekowal*, przywital*, zasmial*, udostepnil*, przeslal*, wyslal*, przeprosil*, powiedzial*, pokazal*, zyczyl*, poprawil*, wkleil*,
        поблагодарил*, поздоровал*, засмеял*, поделил*, прислал*, отправил*, извинил*, сказал*, показал*, пожелал*, исправил*, загрузил*, вставил*, попрощал*, пошутил*, tesekkur etti, teşekkür, selam verdi, selamladi, selamladı, guldu, güldü, paylasti, paylaştı, yukledi, yükledi, gonderdi, gönderdi, ozur diledi, özür, soyledi, söyledi, gosterdi, gösterdi, diledi, duzeltti, tackade, halsade, skrattade, delade, skickade, laddade upp, bad om ursakt, sade, sa att, visade, onskade, rattade, klistrade,
        感谢, 谢谢, 道谢, 问好, 打招呼, 笑了, 分享了, 上传了, 发了, 发来, 发送了, 道歉, 说了, 祝, 纠正, お礼, 感謝し, 挨拶, 笑っ, 共有し, 送った, 送信し, 謝っ, と言った, 見せ, 訂正, 貼り付け, 고맙다고, 감사 인사, 인사했, 인사를, 웃었, 공유했, 보냈, 보낸, 올린, 올렸, 사과했, 말했, 보여 줬, 고쳐 줬, 정정했, شكر, حيّا, ألقى التحية, ضحك, شارك, أرسل, اعتذر, قال, عرض, صحح, رفع صورة, धन्यवाद, नमस्ते, हँसा, साझा, भेजा, भेजी, माफ़ी, कहा, दिखाया, सुधारा, अपलोड किया, चिपकाया
    """,
    "assistant did": """
        the assistant, assistant suggested, assistant explained, assistant translated, assistant gave, assistant wrote, assistant helped, assistant recommended, assistant provided, assistant answered, i explained, i suggested, i translated, i helped, i gave, we discussed, we talked about, we looked at, ai explained, was explained, bot,
        der assistent, el asistente, l'assistant, l'assistente, o assistente, de assistent, asystent, ассистент*, помощник*, asistan*, assistenten, 助手, 助理, 我给, 我为, アシスタント, 어시스턴트, 비서, المساعد, सहायक, असिस्टेंट
    """,
    "picture": """
        screenshot*, screen shot, photo, photos, photograph, picture, pictures, image, images, pic, selfie, snapshot, thumbnail, attached photo, attachment, scanned letter, voice note, scanned, gif, meme, scan shows, diagram shows, whiteboard, receipt, the video, video call, cover page, chart, the figure, drawing shows, sketch shows, sticker,
        foto, fotos, bild, bilder, bildschirmfoto, aufnahme, captura, imagen, imagenes, fotografia, capture d'ecran, image, photo, schermata, immagine, foto, captura de tela, print da tela, imagem, afbeelding, schermafbeelding, schermafdruk, plaatje, zdjeci*, zrzut*, zrzucie, obraz*, obrazk*, фото*, фотограф*, скриншот*, снимк*, картинк*, изображен*, fotograf*, ekran goruntusu*, ekran görüntüsü*, gorsel*, görsel*, resim*, resimde, bilden, skarmbild*, fotot, bild,
        截图, 照片, 图片, 图中, 画面, 截屏, 图像, 写真, 画像, スクリーンショット, スクショ, 사진, 스크린샷, 이미지, 그림, صورة, الصورة, لقطة, तस्वीर, फ़ोटो, फोटो, स्क्रीनशॉट, चित्र
    """,
    "depicts": """
        shows, showed, show, showing, shown, visible, contains, contained, depicts, depicted, features, featured, displays, displayed, looked, looks, in the picture, in the photo, in the image, in the screenshot, in the background, in front of, has a caption, captioned, includes, reads, was blurry, of a, with a, listed, came to, on it, there is, there are, had a, wore, wearing, is asleep, is sitting, is lying, can be seen,
        zu sehen, zeigt, zeigte, sieht man, enthalt, abgebildet, muestra, mostraba, se ve, aparece, contiene, hay, montre, montrait, on voit, figure, contient, il y a, mostra, mostrava, si vede, contiene, c'e, ci sono, raffigura, mostra, mostrava, aparece, ve-se, contem, tem, toont, toonde, te zien, staat, bevat, widac, pokazuje, przedstawia, znajduje sie, lezy, видно, изображен*, показан*, лежит, стоит, сидит, görünüyor, gorunuyor, gosteriyor, gösteriyor, vardi, vardı, var, goruluyor, visar, visade, syns, finns, ligger,
        显示, 有一, 里有, 中有, 可以看到, 上面, 是一, 写っ, 写る, 映っ, 表示されて, ある, 보인다, 보여, 있었다, 있다, 담겨, 나와, تظهر, يظهر, فيها, تحتوي, दिख, दिखाई, दिखाता, में एक
    """,
    "page said": """
        according to, the article, an article, the page, web page, webpage, website said, the site, recipe site, blog post, the blog, the post, a post, the video said, the document says, the document said, the email said, the website, wikipedia, news article, news site, forum thread, search result, the thread, headline, the review, the pdf, the listing, product page, search result*, the search, the docs said, the forum, reddit, tweet, podcast episode, the ad, newsletter said, the recipe said, the report said, the paper said, the readme said, the results show*, top result, first result,
        laut, dem artikel, der artikel, die webseite, die seite, segun, el articulo, la pagina, la web, selon, d'apres, l'article, la page, le site, secondo, l'articolo, la pagina, il sito, segundo, de acordo com, o artigo, a pagina, o site, volgens, het artikel, de pagina, de website, wedlug, artykul*, strona internetowa, na stronie, согласно, стать*, на сайте, страниц*, gore, göre, makale*, sayfada, sitede, enligt, artikeln, sidan, webbplatsen,
        根据, 据, 文章, 网页, 网站, 新闻, によると, 記事, サイト, ページ, ニュース, 에 따르면, 기사, 웹페이지, 사이트, وفقا, بحسب, المقال, الصفحة, الموقع, के अनुसार, लेख, वेबपेज, वेबसाइट, पेज
    """,
    "page verb": """
        said, says, claimed, claims, listed, lists, mentioned, mentions, stated, states, reported, reports, described, describes, suggested, according, noted, explains, explained, argues, recommends, advertised, was titled, titled, was about, gave, quoted, showed, shows, reviews, had a
    """,
    "guess": """
        seems, seemed, appears to, appeared to, seemingly, apparently, sounds, sounded, came across, comes across, might be, may be, could be, probably, likely, presumably, perhaps, judging by, judging from, must be, gives the impression, gave the impression, looks like, i think the user, suggests that, suggesting, implies, implying, indicating, which suggests, possibly, inferred, assume*, i guess, tone, 
        scheint, wirkt, wirkte, anscheinend, vermutlich, wahrscheinlich, vielleicht, parece, parecia, aparentemente, probablemente, quiza*, tal vez, semble, semblait, parait, apparemment, probablement, peut-etre, sans doute, sembra, sembrava, pare, probabilmente, forse, apparentemente, parece, provavelmente, talvez, lijkt, leek, blijkbaar, waarschijnlijk, misschien, wydaje sie, wydawal*, prawdopodobnie, chyba, moze byc, кажется, казал*, похоже, видимо, вероятно, наверное, возможно,
        gibi gorunuyor, gibi görünüyor, galiba, muhtemelen, sanirim, belki, herhalde, verkar, verkade, tycks, troligen, formodligen, kanske, antagligen, 似乎, 好像, 看起来, 可能, 大概, 应该是, 显得, ようだ, みたい, らしい, かもしれない, おそらく, たぶん, ように見え, そうだった, 것 같, 듯, 아마, 보인다, 보였다, 모양, يبدو, ربما, على الأرجح, لعل, लगता है, शायद, संभवतः, लग रहा
    """,
    "trifle": """
        haiku, limerick, poem, joke, pun, riddle, rhyme, synonym*, trivia, capital of, weather in, time in, convert, translate, translation of, translated, spell, spelling, word count, random number, coin, dice, a d #, recipe for, meaning of, definition of, lyrics, typo, caption, tweet, birthday message, for fun, quiz, anagram, crossword, tongue twister, fun fact, meme, emoji, nickname ideas, name ideas, how many, how old, how tall, how far, how long does, how to, what time, who won, who wrote, who is, when was, difference between, list of, regex, one-liner, summary of, summarise, summarize, rephrase, reword, rewrite, proofread, calculate, sum of, square root, square, alphabetically, headline, subject line, slogan, horoscope, knock-knock, story about, song about, essay about, letter to, cover letter,
        gedicht, witz, hauptstadt, ubersetz*, reim, synonyme, chiste, poema, capital de, traducir, traduccion, sinonimo*, rima, blague, poeme, capitale, traduire, traduction, synonyme*, rime, barzelletta, poesia, capitale, tradurre, sinonim*, rima, indovinello, piada, poema, traduzir, traducao, sinonimo*, grap, gedicht, hoofdstad, vertal*, rijm, raadsel, wiersz, zart, stolic*, przetlumacz*, rym, zagadk*, w ktorym roku, стих*, шутк*, анекдот*, столиц*, перев*, рифм*, загадк*, siir, şiir, fikra, fıkra, baskent*, başkent*, cevir*, çevir*, kafiye, bilmece, dikt, skamt, vits, huvudstad*, oversatt*, rim, gata,
        一首, 诗, 笑话, 首都, 翻译, 谜语, 绝句, 俳句, 詩, ジョーク, 首都, 翻訳, なぞなぞ, 시를, 농담, 수도, 번역, 높이, 몇, 수수께끼, قصيدة, نكتة, عاصمة, ترجمة, عدد, لغز, कविता, चुटकुला, राजधानी, अनुवाद, पहेली, कितने, कितनी
    """,
    # -- signs of something that lasts -------------------------------------------------------------------------------
    "habit": """
        every, always, usually, never, as a rule, standing rule, each, generally, typically, normally, habit*, by habit, permanently, permanent, regularly, often, weekly, monthly, yearly, annually, quarterly, nightly, daily, for good, whenever, tends to, tend to, mondays, tuesdays, wednesdays, thursdays, fridays, saturdays, sundays, weekends, weekdays, mornings, evenings, twice a, once a, three times, times a week, times per, by default, default, all of, everywhere, in winter, in summer, in all, per month, per week, a month, a year, a week, on principle, any more, anymore, no longer, throughout the, in the evening, in the morning, long-term, lifelong, whole life, for years, for decades, first choice, policy, rule,
        jede*, immer, meistens, nie, niemals, gewohnlich, normalerweise, regelmassig, grundsatzlich, in der regel, stets, oft, dauerhaft, montags, dienstags, mittwochs, donnerstags, freitags, samstags, sonntags, taglich, wochentlich, monatlich, jahrlich, pro monat, generell, cada, siempre, nunca, normalmente, habitualmente, por norma, a menudo, todos los, todas las, semanal*, mensual*, suele, por costumbre, los lunes, los martes, los miercoles, los jueves, los viernes, los sabados, los domingos, a la semana, por semana, al mes,
        chaque, toujours, jamais, d'habitude, habituellement, en general, souvent, regulierement, tous les, toutes les, par semaine, par mois, par principe, systematiquement, desormais, le lundi, le mardi, le mercredi, le jeudi, le vendredi, ogni, sempre, mai, di solito, normalmente, abitualmente, spesso, di regola, tutti i, tutte le, alla settimana, al mese, il lunedi, il martedi, il venerdi, cada, sempre, nunca, normalmente, geralmente, costuma, por regra, todos os, todas as, por semana, por mes, as segundas, as quintas, as sextas,
        elke, elk, altijd, nooit, meestal, gewoonlijk, in de regel, doorgaans, vaak, iedere, per maand, per week, voortaan, op maandag, op dinsdag, op vrijdag, jaarlijks*, wekelijks*, zawsze, nigdy, zwykle, zazwyczaj, kazd*, co tydzien, co miesiac, regularnie, czesto, stale, z reguly, w poniedzialki, we wtorki, w srody, w czwartki, w piatki, codziennie, miesiecznie, всегда, никогда, обычно, кажд*, регулярно, часто, как правило, постоянно, по понедельникам, по вторникам, по средам, по четвергам, по пятницам, по субботам, по воскресеньям, ежедневно, ежемесячно,
        her zaman, her gun, her hafta, her ay, asla, genellikle, genelde, hep, surekli, duzenli, düzenli, daima, kural olarak, artik, artık, haftada, ayda, varje, alltid, aldrig, vanligtvis, oftast, brukar, regelbundet, ofta, som regel, per manad, i veckan, pa mandagar, pa fredagar,
        每, 总是, 从不, 通常, 一般, 经常, 一直, 习惯, 规定, 永远, 毎, いつも, 常に, 普段, 必ず, 決して, 習慣, 原則, 매일, 매주, 매월, 매년, 매, 항상, 절대, 보통, 늘, 주로, 마다, 원칙, كل, دائما, أبدا, عادة, يوميا, مرات في الأسبوع, غالبا, باستمرار, हर, हमेशा, कभी नहीं, आमतौर, रोज़, रोज, अक्सर, सदा, नियमित
    """,
    "preference": """
        prefers, prefer, preferred, likes, i like, loves, i love, enjoys, dislikes, hates, hate, favourite, favorite, wants, fan of, can't stand, avoids, would rather, keen on, interested in, allergic, allergy, vegetarian, vegan, intolerant, intolerance, diabetic, please, should, must, needs, insists, refuses, don't, do not, no more than, at most, at least, only in, always in,
        bevorzugt, mag, liebt, hasst, lieblings*, mochte, vegetarier*, allergisch, wohnt, arbeitet als, arbeitet bei, heisst, spricht, prefiere, le gusta, le gustan, odia, favorit*, vegetarian*, alergi*, vive, trabaja como, trabaja en, se llama, habla, prefere, aime, deteste, prefer*, favori*, vegetarien*, allergique, habite, travaille comme, travaille chez, s'appelle, parle, preferisce, piace, piacciono, ama, odia, preferit*, vegetarian*, allergic*, vive, abita, lavora come, lavora, si chiama, parla, gosta, adora, odeia, preferid*, mora, trabalha, se chama, fala, geeft de voorkeur, houdt van, verkiest, liever, woont, werkt als, werkt bij, heet, spreekt,
        woli, lubi, kocha, nienawidzi, ulubion*, wegetarian*, uczulon*, mieszka, pracuje jako, pracuje w, pracuje dla, mowi po, предпочита*, любит, нравятся, нравится, ненавид*, любим*, вегетариан*, аллерги*, живет, работает, зовут, говорит, tercih, sever, seviyor, sevmez, nefret, favori, vejetaryen, alerji*, yasiyor, yaşıyor, olarak calis*, foredrar, gillar, alskar, hatar, favorit*, vegetarian, allergisk, bor i, arbetar som, jobbar, heter, talar,
        喜欢, 偏好, 讨厌, 最爱, 素食, 过敏, 住在, 工作, 名叫, 好む, 好き, 嫌い, 希望, ベジタリアン, アレルギー, 住んで, 勤め, 働い, 経営, 좋아, 선호, 싫어, 채식, 알레르기, 산다, 일한다, 못 먹, 다닌다, يفضل, يحب, يكره, المفضل, نباتي, حساسية, يعيش, يعمل في, يعمل ك, पसंद, नापसंद, शाकाहारी, एलर्जी, रहता, रहती, काम करता, काम करती, पढ़ता, पढ़ती
    """,
    "role": """
        uses, is a, is an, is the, am a, works as, works at, works for, work as, work at, works in, lives, live in, speaks, plays, owns, drives, called, named, collects, teaches, studies, runs a, runs the, maintains, responsible for, member of, native language, mother tongue, degree in, is from, comes from, grew up, home town, hometown, based in, kept at, is kept, are kept, stored in, hosted on, runs on, listens on, written in, licensed under, lasts, belongs to, made of, consists of, has two, has three, has a, has an, has no, name is, is called, is named, is with, is protected, is married, left-handed,
        ist ein, ist eine, ist der, ist die, es un, es una, es el, es la, es profesor*, est un, est une, est le, est la, est infirm*, e un, e una, e il, e la, e um, e uma, e o, e a, is een, is de, is het, jest, является, ar en, ar ett, olarak, 是一, 是, です, である, をしている, 이다, 로 일, है और
    """,
    "dated": """
        @, since, since @, until @, in @, from @, by @, january, february, march, april, june, july, august, september, october, november, december, spring, summer, autumn, winter, next year, this year, last year, years, years old, year old, -year-old, months, second-year, third year, first year, school year, semester, fiscal, lease, contract, deadline, due on, elected until, valid until, expires, anniversary, birthday, born,
        seit, bis @, januar, februar, marz, mai, juni, juli, oktober, dezember, jahr, jahre, jahren, geburtstag, desde, hasta @, enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre, diciembre, años, cumpleanos, depuis, jusqu'a, jusqu'en, janvier, fevrier, mars, avril, mai, juin, juillet, aout, septembre, octobre, novembre, decembre, ans, anniversaire, dal @, dal, fino al, gennaio, febbraio, aprile, maggio, giugno, luglio, agosto, settembre, ottobre, novembre, dicembre, anni, compleanno, desde, ate @, janeiro, fevereiro, marco, abril, maio, junho, julho, setembro, outubro, novembro, dezembro, anos, aniversario, ano,
        sinds, tot @, maart, mei, juni, juli, augustus, oktober, jaar, verjaardag, januari, februari, od @, od, do @, stycznia, lutego, marca, kwietnia, maja, czerwca, lipca, sierpnia, wrzesnia, pazdziernika, listopada, grudnia, lat, lata, roku, roku @, urodziny, с @, до @, января, февраля, марта, апреля, мая, июня, июля, августа, сентября, октября, ноября, декабря, лет, года, году, рождения, сентября, до, beri, ocak, subat, şubat, mart, nisan, mayis, haziran, temmuz, agustos, eylul, ekim, kasim, aralik, yil, yıl, yasinda, yaşında, dogum gunu, sedan, till @, ar, år, fodelsedag,
        年, 月, 岁, 生日, 以来, から, 歳, 誕生日, 년, 월, 살, 생일, 부터, منذ, حتى عام, سنة, عام, عاما, عيد ميلاد, शهر, साल, वर्ष, से, तक, जन्मदिन, कक्षा
    """,
    "life": """
        married, wedding, divorced, engaged, widow*, pregnant, born, died, death, diagnosed, diagnosis, surgery, operated, operation, stroke, accident, adopted, took up, moved to, moved from, moved the, moved in, moving to, emigrated, promoted, retired, retires, graduated, degree, hired, quit, resigned, left .. to, joined, founded, started a, started at, sold the, bought, inherited, decided, decision, agreed, switched careers, changed careers, became, chose, won the, passed the, citizen, apprenticeship, phd, student, pacemaker, wheelchair, medication, disease, therapy, treasurer, chair*, head of, manager, wife, husband, son, daughter, mother, father, sister, brother, parents, partner, girlfriend, boyfriend, aunt, uncle, cousin, grandmother, grandfather, niece, nephew, child, children, kids, family, dog, cat called, dementia, epilepsy, unemployed, non-compete, studio, nurse, teacher, surgeon, dentist, engineer, company, employer, lease*, mortgage, insurance, migrated, replaced, dropped, renamed, switched from .. to .. in, in favour of, in favor of, because of, learning, training for, studying, working towards, saving for, planning to move, plans to, building a, writing a book, writing a novel, thesis, learned to,
        verheiratet, geheiratet, geschieden, hochzeit, diagnos*, operiert, unfall, gezogen, umgezogen, befordert, rente, entschieden, gekauft, verkauft, frau, mann, sohn, tochter, mutter, vater, schwester, bruder, eltern, kind*, casad*, divorciad*, boda, diagnostic*, operad*, mudo, se ha mudado, ascendid*, jubilad*, decidio, compro, vendio, ha dejado, esposa, marido, hijo, hija, madre, padre, hermana, hermano, doctorado, marie*, divorce*, mariage, opere*, demenage*, promu*, retraite*, decide, achete, vendu, femme, mari, fils, fille, mere, pere, soeur, frere, sposat*, divorziat*, matrimonio, operat*, trasferit*, promoss*, pensione, deciso, comprato, venduto, moglie, marito, figlio, figlia, madre, padre, sorella, fratello, casou, divorciou, casamento, mudou-se, promovid*, aposentad*, decidiu, comprou, vendeu, esposa, filho, filha, mae, pai, irma, irmao,
        getrouwd, gescheiden, bruiloft, verhuisd, gepromoveerd, pensioen, besloten, gekocht, verkocht, vrouw, zoon, dochter, moeder, vader, zus, broer, zona, maz, syn, corka, matka, ojciec, siostra, brat, zonaty, zamezna, rozwiedzi*, slub, przeprowadzil*, awansowal*, zdecydowal*, kupil*, sprzedal*, zdiagnozowan*, operacj*, женат*, замуж*, развед*, свадьб*, переехал*, повысил*, решил*, купил*, продал*, диагноз*, операци*, жена, муж, сын, дочь, мать, отец, сестра, брат, декретн*, племянни*, evli, bosandi, boşandı, dugun, düğün, tasindi, taşındı, terfi, karar verdi, satin aldi, satın aldı, satti, sattı, teshis, teşhis, ameliyat, esi, eşi, oglu, oğlu, kizi, kızı, annesi, babasi, kardesi, birakti, bıraktı, skild, brollop, flyttade, flyttat, befordrad, beslutade, kopte, salde, diagnos*, opererad*, fru, son, dotter, mamma, pappa, syster, bror,
        结婚, 离婚, 确诊, 手术, 搬到, 升职, 退休, 决定, 买了, 卖了, 妻子, 丈夫, 儿子, 女儿, 母亲, 父亲, 公司, 贷款, 不再, 改为, 从今年, 結婚, 離婚, 診断, 手術, 引っ越, 転勤, 昇進, 退職, 決め, 決まっ, 購入, 妻, 夫, 息子, 娘, 母, 父, 義母, やめて, 通って, 変わった, 결혼, 이혼, 진단, 수술, 이사, 승진, 퇴직, 결정, 샀, 팔았, 아내, 남편, 아들, 딸, 어머니, 아버지, 늘었, 옮겼, 바뀌었, متزوج, تزوج, طلق, تشخيص, عملية جراحية, ترقى, تقاعد, قرر, اشترى, باع, زوجته, زوجها, ابنه, ابنته, والدته, والده, يدرس, विवाह, शादी, तलाक, निदान, ऑपरेशन, पदोन्नति, सेवानिवृत्त, फैसला, खरीदा, बेचा, पत्नी, पति, बेटा, बेटी, माता, पिता, दादी
    """,
    "distributed": """
        for .. and .. for, on .. and .. on, in .. and .. in, with .. and .. with, only for, only in, instead of, rather than, depending on, between .. and, so that, because, unless, if, when, so, but
    """,
    # -- who it is about ---------------------------------------------------------------------------------------------
    "user": """
        user, users, nutzer*, benutzer*, anwender*, usuario, usuaria, utilisateur, utilisatrice, utente, usuario, utilizador*, gebruiker*, uzytkowni*, пользовател*, kullanici*, kullanıcı*, anvandare*, 用户, 用戶, ユーザー, 사용자, 유저, المستخدم, उपयोगकर्ता, यूज़र
    """,
}
